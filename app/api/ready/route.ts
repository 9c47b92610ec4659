import { runtime } from '@/server/runtime-handle';

export const dynamic = 'force-dynamic';

export const GET = (): Response => {
  const readiness = runtime().readiness();
  return Response.json(readiness, { status: readiness.ready ? 200 : 503 });
};
