import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ROOT } from '../../bootstrap/root.js';

const RESULTS = join(ROOT, 'test', 'results');
/** One file a library, as test/interop/results.ts writes it. */
const ROWS = join(RESULTS, 'interop');
const SUMMARY = join(RESULTS, 'interop.json');

const rowFiles = () => (existsSync(ROWS) ? readdirSync(ROWS) : []);

/** Drops the rows of the languages whose tests are about to run. */
export function forgetInterop(files) {
  const languages = new Set(files.map((file) => basename(dirname(file))));
  for (const name of rowFiles()) {
    if (languages.has(name.split('-')[0])) rmSync(join(ROWS, name));
  }
}

const wakeOf = ({ wake }) =>
  wake ? `${wake.p50} / ${wake.p99} ms of ${wake.timed}` : 'wakes nobody';

const COLUMNS = [
  ['library', ({ title }) => title],
  ['version', ({ version }) => version ?? ''],
  ['ran', ({ outcome, because }) => (because ? `${outcome}: ${because}` : outcome)],
  ['one waiter is', ({ waiters }) => waiters ?? ''],
  ['wake p50 / p99', (row) => (row.outcome === 'skipped' ? '' : wakeOf(row))],
  [
    'the old holder',
    ({ oldHolder, cameBack }) => `${oldHolder ?? ''}${cameBack ? '; CAME BACK' : ''}`,
  ],
  ['notes', ({ notes }) => notes.join('; ')],
];

/** Longer cells are whole in the JSON. */
const WIDEST = 72;
const cut = (text) => (text.length > WIDEST ? `${text.slice(0, WIDEST - 1)}…` : text);

function asTable(rows) {
  const cells = [
    COLUMNS.map(([title]) => title),
    ...rows.map((row) => COLUMNS.map(([, cell]) => cut(cell(row)))),
  ];
  const widths = COLUMNS.map((_, i) => Math.max(...cells.map((line) => line[i].length)));
  return cells
    .map((line) =>
      line
        .map((text, i) => text.padEnd(widths[i]))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Prints a table of all libraries and writes test/results/interop.json. `missing`: files that could not run. */
export function summariseInterop(missing) {
  const rows = rowFiles()
    .map((name) => JSON.parse(readFileSync(join(ROWS, name), 'utf8')))
    .sort((a, b) => `${a.ecosystem} ${a.title}`.localeCompare(`${b.ecosystem} ${b.title}`));
  const notRun = missing.map(({ file, tool }) => ({ file, because: `needs ${tool}` }));
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(SUMMARY, `${JSON.stringify({ libraries: rows, notRun }, null, 2)}\n`);
  process.stdout.write(`\nReal libraries:\n${asTable(rows)}\n`);
  for (const { file, because } of notRun) process.stdout.write(`not run: ${file}, ${because}\n`);
  process.stdout.write('\n');
}
