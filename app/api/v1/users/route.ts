import { answer, jsonBody } from '@/app/api/answer';

export const dynamic = 'force-dynamic';

export const GET = (request: Request): Promise<Response> =>
  answer(request, (handle, actor) => handle.users.list(actor));

export const POST = (request: Request): Promise<Response> =>
  answer(
    request,
    async (handle, actor) => handle.users.create(actor, await jsonBody(request)),
    201,
  );
