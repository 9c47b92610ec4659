import { answer } from '@/app/api/answer';
import { openApiDocument } from '@/lib/protocol/openapi';

export const dynamic = 'force-dynamic';

export const GET = (request: Request): Promise<Response> =>
  answer(request, async () => openApiDocument());
