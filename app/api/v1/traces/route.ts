import { answer, jsonBody } from '@/app/api/answer';

export const dynamic = 'force-dynamic';

export const GET = (request: Request): Promise<Response> =>
  answer(request, (handle, actor) => handle.query('traces', {}, actor));

export const POST = (request: Request): Promise<Response> =>
  answer(
    request,
    async (handle, actor) => handle.act('trace.start', await jsonBody(request), actor),
    202,
  );
