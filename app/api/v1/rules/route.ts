import { answer, jsonBody, searchParams } from '@/app/api/answer';

export const dynamic = 'force-dynamic';

export const GET = (request: Request): Promise<Response> =>
  answer(request, (handle, actor) => handle.query('rules', searchParams(request), actor));

export const POST = (request: Request): Promise<Response> =>
  answer(request, async (handle, actor) => handle.act('rule.save', await jsonBody(request), actor));

export const DELETE = (request: Request): Promise<Response> =>
  answer(request, async (handle, actor) =>
    handle.act('rule.reset', await jsonBody(request), actor),
  );
