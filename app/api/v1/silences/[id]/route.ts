import { answer, jsonBody } from '@/app/api/answer';

export const dynamic = 'force-dynamic';

type Context = { params: Promise<Record<string, string>> };

export const DELETE = (request: Request, { params }: Context): Promise<Response> =>
  answer(request, async (handle, actor) => {
    const input = { ...(await jsonBody(request)), ...(await params) };
    return handle.act('silence.end', input, actor);
  });
