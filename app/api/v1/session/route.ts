import { answer } from '@/app/api/answer';
import type { SessionView } from '@/lib/protocol/session';
import packageJson from '@/package.json';

export const dynamic = 'force-dynamic';

export const GET = (request: Request): Promise<Response> =>
  answer(request, async (_handle, actor) => {
    const view: SessionView = {
      name: actor.name,
      role: actor.role,
      version: packageJson.version,
    };
    return view;
  });
