import { answer } from '@/app/api/answer';
import { CodedError } from '@/lib/protocol/errors';

export const dynamic = 'force-dynamic';

/** Whatever no other route serves: programs get an error they can read instead of a page. */
const handle = (request: Request): Promise<Response> =>
  answer(request, () => {
    const { pathname } = new URL(request.url);
    const message = `There is no ${request.method} ${pathname}; /api/v1/openapi.json lists what there is.`;
    return Promise.reject(new CodedError('NOT_FOUND', message));
  });

export { handle as DELETE, handle as GET, handle as PATCH, handle as POST, handle as PUT };
