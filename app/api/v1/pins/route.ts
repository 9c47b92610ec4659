import { answer, jsonBody } from '@/app/api/answer';

export const dynamic = 'force-dynamic';

export const GET = (request: Request): Promise<Response> =>
  answer(request, (handle, actor) => handle.query('pins', {}, actor));

export const POST = (request: Request): Promise<Response> =>
  answer(request, async (handle, actor) =>
    handle.act('format.pin', await jsonBody(request), actor),
  );

export const DELETE = (request: Request): Promise<Response> =>
  answer(request, async (handle, actor) =>
    handle.act('format.unpin', await jsonBody(request), actor),
  );
