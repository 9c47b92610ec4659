import type { RecognitionReason } from '@/lib/formats/format';
import { said } from '@/lib/messages/in-english';
import { printable } from '@/lib/protocol/bytes';
import type { Said } from '@/lib/protocol/sentence';

/** Why a key was recognised as a library's lock, for people. */
export const recognisedBy = (reason: RecognitionReason): Said =>
  'prefix' in reason
    ? said(`because:${reason.id}`, { prefix: printable(reason.prefix) })
    : said(`because:${reason.id}`, {});
