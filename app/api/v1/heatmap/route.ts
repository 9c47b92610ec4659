import { answer, searchParams } from '@/app/api/answer';
import { slicedJson } from '@/app/api/sliced-json';

export const dynamic = 'force-dynamic';

export const GET = (request: Request): Promise<Response> =>
  answer(request, async (handle, actor) => {
    const map = await handle.query('heatmap', searchParams(request), actor);
    return typeof map === 'object' && map !== null ? slicedJson(map) : map;
  });
