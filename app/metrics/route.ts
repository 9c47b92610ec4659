import { toErrorResponse } from '@/app/api/answer';
import { said } from '@/lib/messages/in-english';
import { CodedError } from '@/lib/protocol/errors';
import { runtime } from '@/server/runtime-handle';

export const dynamic = 'force-dynamic';

export const GET = async ({ headers }: Request): Promise<Response> => {
  try {
    const handle = runtime();
    if (!(await handle.mayReadMetrics(headers))) {
      throw new CodedError('UNAUTHENTICATED', said('unauthenticated:sign-in', {}));
    }
    const { contentType, body } = await handle.metrics(headers.get('accept'));
    return new Response(body, {
      headers: { 'content-type': contentType, 'cache-control': 'no-store', vary: 'accept' },
    });
  } catch (error) {
    return toErrorResponse(error);
  }
};
