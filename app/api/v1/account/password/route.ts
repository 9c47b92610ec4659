import { answer, jsonBody } from '@/app/api/answer';

export const dynamic = 'force-dynamic';

export const POST = (request: Request): Promise<Response> =>
  answer(request, async (handle, actor) => {
    const { newPassword } = await jsonBody(request);
    await handle.users.setPassword(actor, request.headers, newPassword);
    return { ok: true };
  });
