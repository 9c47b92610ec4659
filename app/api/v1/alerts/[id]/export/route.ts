import { answer, searchParams } from '@/app/api/answer';
import { isPostMortemForm, postMortem, toDetail } from '@/lib/post-mortem';
import { said } from '@/lib/messages/in-english';
import { CodedError } from '@/lib/protocol/errors';

export const dynamic = 'force-dynamic';

type Context = { params: Promise<Record<string, string>> };

const TYPES = { markdown: 'text/markdown; charset=utf-8', json: 'application/json' } as const;
const ENDINGS = { markdown: 'md', json: 'json' } as const;

export const GET = (request: Request, { params }: Context): Promise<Response> =>
  answer(request, async (handle, actor) => {
    const { as = 'markdown' } = searchParams(request);
    if (!isPostMortemForm(as)) {
      throw new CodedError('INVALID_INPUT', said('invalid:export', {}), { field: 'as' });
    }
    const { id = '' } = await params;
    const detail = toDetail(await handle.query('alert', { id }, actor));
    return new Response(postMortem(detail, as), {
      headers: {
        'content-type': TYPES[as],
        'content-disposition': `attachment; filename="alert-${id.replace(/[^\w-]/g, '')}.${ENDINGS[as]}"`,
        'cache-control': 'no-store',
      },
    });
  });
