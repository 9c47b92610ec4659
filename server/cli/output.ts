import { errorBodyOf, isRecord } from '@/lib/protocol/errors';

/** 0 fine · 1 something is wrong with what was asked · 2 usage; `lock run` gives its command's own. */
export type ExitCode = number;
export const FINE = 0;
export const WRONG = 1;
export const USAGE = 2;

export interface Sink {
  write: (text: string) => unknown;
}

/** What a command says. Results go to stdout, everything about them to stderr. */
export interface Output {
  /** Whether `--json` was given. */
  readonly isJson: boolean;
  /** The result: with `--json` `value` as one JSON document, else the text. */
  result: (value: unknown, text: () => string) => void;
  /** One line of a result that comes in pieces: with `--json` one JSON object a line. */
  line: (value: unknown, text: () => string) => void;
  /** A remark on stderr, with `--json` too. */
  note: (sentence: string) => void;
  /** One sentence on stderr; with `--json` also `{"error":{code,message,details}}` on stdout. */
  error: (error: unknown) => void;
}

export function createOutput(options: { out: Sink; err: Sink; isJson: () => boolean }): Output {
  const { out, err, isJson } = options;
  const note = (sentence: string): void =>
    void err.write(`lockscope: ${printableLines(sentence)}\n`);
  return {
    get isJson() {
      return isJson();
    },
    result: (value, text) => {
      out.write(isJson() ? `${JSON.stringify(value, null, 2)}\n` : `${printableLines(text())}\n`);
    },
    line: (value, text) => {
      out.write(`${isJson() ? JSON.stringify(value) : text()}\n`);
    },
    note,
    error: (error) => {
      if (isJson()) out.write(`${JSON.stringify({ error: asBody(error) }, null, 2)}\n`);
      note(said(error));
    },
  };
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Whether it carries a code of its own, and so a message that was written for a person. */
const isSpoken = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string';

function said(error: unknown): string {
  if (isSpoken(error) || !(error instanceof Error)) return messageOf(error).split('\n')[0] ?? '';
  return `unexpected: ${error.stack ?? error.message}`;
}

function asBody(error: unknown): Record<string, unknown> {
  const answered = errorBodyOf({ error });
  if (answered) return { ...answered.error };
  const code = isSpoken(error) ? error.code : 'INTERNAL';
  const fields = isRecord(error) && isRecord(error['fields']) ? error['fields'] : undefined;
  return { code, message: messageOf(error), ...(fields && { details: fields }) };
}

export interface Column<Row> {
  head: string;
  cell: (row: Row) => string;
  /** Figures stand to the right. */
  align?: 'left' | 'right';
  /** Longer cells are cut with an ellipsis. */
  maxWidth?: number;
}

// Wide characters (CJK, full-width, emoji) take two cells of a terminal.
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;

/** Control characters as `\xNN`: what a key holds must not move the reader's cursor. */
export const printable = (text: string): string =>
  text.replace(CONTROL, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** The same of a text of several lines. */
const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

const cellsOf = (text: string): number =>
  [...text].reduce((sum, c) => sum + (WIDE.test(c) ? 2 : 1), 0);

function cut(text: string, width: number): string {
  if (cellsOf(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const c of text) {
    used += WIDE.test(c) ? 2 : 1;
    if (used > width - 1) break;
    kept += c;
  }
  return `${kept}…`;
}

function pad(text: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - cellsOf(text)));
  return align === 'right' ? space + text : text + space;
}

/** Rows as aligned columns, two spaces between, a head line in capitals; without colour or frame. */
export function table<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const lines = [
    columns.map(({ head }) => head.toUpperCase()),
    ...rows.map((row) =>
      columns.map(({ cell, maxWidth }) => cut(printable(cell(row)), maxWidth ?? Infinity)),
    ),
  ];
  const widths = columns.map((_, at) =>
    Math.max(...lines.map((cells) => cellsOf(cells[at] ?? ''))),
  );
  return lines
    .map((cells) =>
      cells
        .map((text, at) => pad(text, widths[at] ?? 0, columns[at]?.align ?? 'left'))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `name  value` lines, names in one column. */
export function facts(entries: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...entries.map(([name]) => cellsOf(name)));
  return entries
    .map(([name, value]) => `${pad(name, width, 'left')}  ${printable(value)}`.trimEnd())
    .join('\n');
}
