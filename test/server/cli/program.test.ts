import { describe, expect, it } from 'vitest';
import { LockError } from '@/lib/lock/errors';
import { CodedError } from '@/lib/protocol/errors';
import { ConfigError } from '@/server/config';
import { facts, table } from '@/server/cli/output';
import {
  group,
  runProgram,
  usageError,
  wholeNumber,
  type CliContext,
  type Register,
} from '@/server/cli/program';

/** Runs `do [--limit n]` of which `act` is what it does. */
async function run(
  act: (context: CliContext, options: { limit: number }) => Promise<number> | number,
  ...args: string[]
): Promise<{ code: number; out: string; err: string }> {
  const register: Register = (program, context) => {
    program
      .command('do')
      .option('--limit <n>', 'at most', wholeNumber(1, 9), 3)
      .action(context.action((options: { limit: number }) => act(context, options)));
  };
  let out = '';
  let err = '';
  const code = await runProgram(args, [register], {
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
    env: {},
  });
  return { code, out, err };
}

const rejecting = (error: unknown) => async (): Promise<number> => await Promise.reject(error);

describe('a command ends with', () => {
  it('the code that it returns', async () => {
    expect((await run(() => 0, 'do')).code).toBe(0);
    expect((await run(() => 1, 'do')).code).toBe(1);
    expect((await run(() => 42, 'do')).code).toBe(42);
  });

  it('2 and a sentence on stderr for what was typed wrongly', async () => {
    for (const args of [
      ['da'],
      ['do', '--limt', '3'],
      ['do', 'more'],
      ['do', '--limit', 'x'],
      ['do', '--limit', '10'],
    ]) {
      const { code, out, err } = await run(() => 0, ...args);
      expect({ args, code, out }).toEqual({ args, code: 2, out: '' });
      expect(err).toMatch(/^lockscope: /);
    }
  });

  it('2 where it finds its options at odds', async () => {
    const { code, err } = await run(rejecting(usageError('Give a or b, not both.')), 'do');
    expect({ code, err }).toEqual({ code: 2, err: 'lockscope: Give a or b, not both.\n' });
  });

  it('2 for a setting that cannot be used', async () => {
    const { code, err } = await run(rejecting(new ConfigError('LOCKSCOPE_PORT is odd.')), 'do');
    expect({ code, err }).toEqual({ code: 2, err: 'lockscope: LOCKSCOPE_PORT is odd.\n' });
  });

  it('1 and one sentence for an error with a code', async () => {
    const { code, err } = await run(
      rejecting(new CodedError('NOT_FOUND', 'It is not there.')),
      'do',
    );
    expect({ code, err }).toEqual({ code: 1, err: 'lockscope: It is not there.\n' });
  });

  it('1 and where it happened for an error that nobody foresaw', async () => {
    const { code, err } = await run(rejecting(new TypeError('x is no function')), 'do');
    expect(code).toBe(1);
    expect(err).toMatch(/^lockscope: unexpected: TypeError: x is no function\n {4}at /);
  });

  it('0 after its help', async () => {
    const { code, out } = await run(() => 1, 'do', '--help');
    expect(code).toBe(0);
    expect(out).toMatch(/--limit <n>[^]*--json/);
  });
});

describe('what comes from Redis', () => {
  it('moves no cursor: control characters are written out, in results, remarks and errors', async () => {
    const hostile = 'a\u001b[2Jb\u009b1mc\rd';
    const said = await run(({ output }) => {
      output.note(hostile);
      output.result(null, () => `${hostile}\nsecond`);
      throw new LockError('REDIS_ERROR', hostile);
    }, 'do');
    const written = String.raw`a\x1b[2Jb\x9b1mc\x0dd`;
    expect(said.out).toBe(`${written}\nsecond\n`);
    expect(said.err).toBe(`lockscope: ${written}\nlockscope: ${written}\n`);
  });
});

describe('--json', () => {
  it.each([[['--json', 'do']], [['do', '--json']]])('is known in %j', async (args) => {
    const { out } = await run(
      (context) => {
        context.output.result({ a: 1 }, () => 'a is 1');
        context.output.note('by the way');
        return 0;
      },
      ...args,
    );
    expect(JSON.parse(out)).toEqual({ a: 1 });
  });

  it.each([
    [['do', '--nothing', '--json'], "unknown option '--nothing'"],
    [['--json', 'du'], "unknown command 'du' (Did you mean do?)"],
  ])('tells of a command line like %j', async (args, message) => {
    const { code, out, err } = await run(() => 0, ...args);
    expect({ code, err }).toEqual({ code: 2, err: `lockscope: ${message}\n` });
    expect(JSON.parse(out)).toEqual({ error: { code: 'USAGE', message } });
  });

  it('gives one object a line for what comes in pieces', async () => {
    const { out } = await run(
      (context) => {
        for (const a of [1, 2]) context.output.line({ a }, () => `a is ${a}`);
        return 0;
      },
      'do',
      '--json',
    );
    expect(out).toBe('{"a":1}\n{"a":2}\n');
  });

  it.each([
    [
      new CodedError('CONFLICT', 'Held.', { holder: 'b' }),
      { code: 'CONFLICT', message: 'Held.', details: { holder: 'b' } },
    ],
    [
      new LockError('LOST', 'Lost.', { key: 'k' }),
      { code: 'LOST', message: 'Lost.', details: { key: 'k' } },
    ],
    [new ConfigError('Odd.'), { code: 'BAD_SETTING', message: 'Odd.' }],
    [new Error('oh'), { code: 'INTERNAL', message: 'oh' }],
  ])('tells of %s by code too', async (error, expected) => {
    const { out } = await run(rejecting(error), 'do', '--json');
    expect(JSON.parse(out)).toEqual({ error: expected });
  });

  it('leaves stdout empty of errors without it', async () => {
    expect((await run(rejecting(new ConfigError('Odd.')), 'do')).out).toBe('');
  });
});

describe('a group', () => {
  it('is made once, by whoever comes first', async () => {
    const heard: string[] = [];
    const command =
      (name: string): Register =>
      (program, context) => {
        group(program, 'lock')
          .command(name)
          .action(context.action(() => (heard.push(name) > 0 ? 0 : 1)));
      };
    const sink = { write: () => undefined };
    for (const name of ['list', 'debug']) {
      await runProgram(['lock', name], [command('list'), command('debug')], {
        out: sink,
        err: sink,
        env: {},
      });
    }
    expect(heard).toEqual(['list', 'debug']);
  });
});

describe('a table', () => {
  it('aligns columns, figures to the right, and cuts what is too wide', () => {
    const rows = [
      { key: 'order:1', left: '900' },
      { key: 'order:123456789', left: '12000' },
    ];
    const text = table(rows, [
      { head: 'key', cell: (row) => row.key, maxWidth: 10 },
      { head: 'left', cell: (row) => row.left, align: 'right' },
    ]);
    expect(text).toBe('KEY          LEFT\norder:1       900\norder:123…  12000');
  });

  it('counts wide characters as two cells and never lets a name move the cursor', () => {
    const cells = [
      { name: '订单', n: '1' },
      { name: 'a\u001b[2J', n: '2' },
    ];
    const text = table(cells, [
      { head: 'name', cell: (row) => row.name },
      { head: 'n', cell: (row) => row.n },
    ]);
    expect(text).toBe('NAME      N\n订单      1\na\\x1b[2J  2');
  });

  it('of facts has its names in one column', () => {
    expect(
      facts([
        ['key', 'a'],
        ['holder', 'b'],
      ]),
    ).toBe('key     a\nholder  b');
  });
});
