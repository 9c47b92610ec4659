import { answer } from '@/app/api/answer';

export const dynamic = 'force-dynamic';

export const GET = (request: Request): Promise<Response> =>
  answer(request, async (handle, actor) => {
    const encoder = new TextEncoder();
    const lines = handle.exportAudit(actor)[Symbol.asyncIterator]();
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await lines.next();
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
    });
    return new Response(body, {
      headers: {
        'content-type': 'application/x-ndjson',
        'content-disposition': 'attachment; filename="lockscope-audit.ndjson"',
      },
    });
  });
