import { toErrorResponse } from '@/app/api/answer';
import { runtime } from '@/server/runtime-handle';

export const dynamic = 'force-dynamic';

const handle = (request: Request): Promise<Response> =>
  runtime().authHandler(request).catch(toErrorResponse);

export { handle as GET, handle as POST };
