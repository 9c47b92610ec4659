import { answer, jsonBody } from '@/app/api/answer';

export const dynamic = 'force-dynamic';

export const POST = (request: Request): Promise<Response> =>
  answer(request, async (handle, actor) =>
    handle.act('alert.acknowledge-many', await jsonBody(request), actor),
  );
