import { answer } from '@/app/api/answer';

export const dynamic = 'force-dynamic';

type Context = { params: Promise<Record<string, string>> };

export const GET = (request: Request, { params }: Context): Promise<Response> =>
  answer(request, async (handle, actor) => handle.query('alert', await params, actor));
