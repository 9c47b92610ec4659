import { InvalidArgumentError, Option, type Command } from 'commander';
import { openAuditReader, type AuditReader } from '@/server/store/audit-reader';
import { csvHead, csvRow } from './audit/csv';
import { FINE, WRONG, type ExitCode } from './output';
import { group, usageError, type CliContext } from './program';

interface ExportOptions {
  from?: number;
  to?: number;
  format: 'jsonl' | 'csv';
}

/** `audit verify` and `audit export`: the record of what was done, read where the console keeps it. */
export function register(program: Command, context: CliContext): void {
  const audit = group(program, 'audit');
  audit
    .command('verify')
    .description('recompute the hash chain: is every entry there and as it was written')
    .action(context.action(() => withAudit(context, (reader) => verify(context, reader))));
  audit
    .command('export')
    .description('print every entry, oldest first')
    .option('--from <time>', 'from this time on, like 2026-06-12T08:00Z or epoch ms', moment)
    .option('--to <time>', 'before this time', moment)
    .addOption(
      new Option('--format <format>', 'a JSON object a line, or a table')
        .choices(['jsonl', 'csv'])
        .default('jsonl'),
    )
    .action(
      context.action((options: ExportOptions) => {
        if (options.format === 'csv' && context.output.isJson) {
          throw usageError('--format csv and --json exclude each other.');
        }
        return withAudit(context, (reader) => exportEntries(context, reader, options));
      }),
    );
}

async function withAudit(
  context: CliContext,
  work: (reader: AuditReader) => Promise<ExitCode>,
): Promise<ExitCode> {
  const reader = await openAuditReader(context.settings());
  try {
    return await work(reader);
  } finally {
    await reader.close();
  }
}

async function verify({ output }: CliContext, reader: AuditReader): Promise<ExitCode> {
  const { entries, brokenAt, lastHash } = await reader.verify();
  const { place } = reader;
  const verdict = { intact: brokenAt === null, entries, brokenAt, lastHash, place };
  output.result(verdict, () =>
    brokenAt === null
      ? `intact: ${entries} entries in ${place}${lastHash === null ? '' : `, last hash ${lastHash}`}`
      : `broken at seq ${brokenAt} in ${place}: this entry is missing or not as it was written; the ${entries} before it are intact`,
  );
  return brokenAt === null ? FINE : WRONG;
}

async function exportEntries(
  { output }: CliContext,
  reader: AuditReader,
  { format, ...range }: ExportOptions,
): Promise<ExitCode> {
  const isCsv = format === 'csv';
  if (isCsv) output.line(null, () => `${csvHead()}\r`);
  for await (const entry of reader.entries(range)) {
    output.line(entry, () => (isCsv ? `${csvRow(entry)}\r` : JSON.stringify(entry)));
  }
  return FINE;
}

/** Epoch ms, or a date and time as ISO 8601 writes it; without a zone it is that of this machine. */
function moment(text: string): number {
  const at = /^\d{10,15}$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isNaN(at)) {
    throw new InvalidArgumentError('It must be a time like 2026-06-12T08:00Z, or epoch ms.');
  }
  return at;
}
