import { answer, searchParams } from '@/app/api/answer';

export const dynamic = 'force-dynamic';

export const GET = (request: Request): Promise<Response> =>
  answer(request, (handle, actor) => handle.query('chains', searchParams(request), actor));
