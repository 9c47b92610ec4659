import { expect, it } from 'vitest';
import type { AuditEntry } from '@/lib/protocol/audit';
import { register } from '@/server/cli/audit';
import { createTestCli, type Ran } from '@/test/server/cli/locks/run-cli';
import { anAuditDraft } from '@/test/server/store/samples';
import { onBoth, type Spot } from '@/test/server/store/store-under-test';

const UNLOCK = {
  sqlite: ['drop trigger audit_no_update', 'drop trigger audit_no_delete'],
  postgres: ['alter table audit disable trigger user'],
};

onBoth('audit from the command line', (place) => {
  const withEntries = async (...actors: string[]): Promise<Spot> => {
    const spot = await place.fresh();
    const store = spot.open();
    await store.start();
    for (const [i, actor] of actors.entries()) {
      await store.appendAudit(anAuditDraft({ at: 1_700_000_000_000 + i * 1000, actor }));
    }
    return spot;
  };
  const run = async ({ dataDir, databaseUrl }: Spot, ...args: string[]): Promise<Ran> => {
    const cli = await createTestCli('redis://127.0.0.1:1/0', {
      LOCKSCOPE_DATA_DIR: dataDir,
      ...(databaseUrl && { LOCKSCOPE_DATABASE_URL: databaseUrl }),
    });
    const ran = await cli.run([register], 'audit', ...args);
    await cli.remove();
    return ran;
  };

  it('finds an intact chain intact, and tells count and last hash', async () => {
    const spot = await withEntries('ada', 'ben', 'cleo');
    const { code, out } = await run(spot, 'verify');
    expect(code).toBe(0);
    expect(out).toMatch(/^intact: 3 entries in .+, last hash [0-9a-f]{64}\n$/);
    expect((await run(spot, 'verify', '--json')).json()).toMatchObject({
      intact: true,
      entries: 3,
      brokenAt: null,
    });
  });

  it('names the first entry that was changed, and ends with 1', async () => {
    const spot = await withEntries('ada', 'ben', 'cleo');
    const tampering = `update audit set entry = replace(entry, 'ben', 'eve') where seq = 2`;
    await spot.behind(...UNLOCK[place.kind], tampering);
    const { code, out } = await run(spot, 'verify');
    expect({ code, out }).toMatchObject({ code: 1 });
    expect(out).toContain('broken at seq 2');
  });

  it('exports one JSON object a line, oldest first, within the times asked for', async () => {
    const spot = await withEntries('ada', 'ben', 'cleo');
    const entries = (text: string) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as AuditEntry);
    const all = entries((await run(spot, 'export')).out);
    expect(all.map(({ seq, actor }) => [seq, actor])).toEqual([
      [1, 'ada'],
      [2, 'ben'],
      [3, 'cleo'],
    ]);
    const from = new Date(1_700_000_001_000).toISOString();
    const part = entries((await run(spot, 'export', '--from', from, '--to', '1700000002000')).out);
    expect(part.map(({ actor }) => actor)).toEqual(['ben']);
  });

  it('exports more entries than are read at once', async () => {
    const spot = await withEntries(...Array.from({ length: 501 }, (_, i) => `actor-${i}`));
    expect((await run(spot, 'export')).out.trim().split('\n')).toHaveLength(501);
  });

  it('writes CSV in which nothing is run as a formula', async () => {
    const spot = await withEntries('=cmd|"/c calc"!A1', '@sum(1)', 'plain, with comma');
    const { out } = await run(spot, 'export', '--format', 'csv');
    const lines = out.split('\r\n');
    expect(lines[0]).toMatch(/^seq,at,time,actor,/);
    expect(lines[1]).toContain(`"'=cmd|""/c calc""!A1"`);
    expect(lines[2]).toContain(`,'@sum(1),`);
    expect(lines[3]).toContain(',"plain, with comma",');
  });

  it('refuses CSV together with --json, and times that are none', async () => {
    const spot = await withEntries('ada');
    expect((await run(spot, 'export', '--format', 'csv', '--json')).code).toBe(2);
    expect((await run(spot, 'export', '--from', 'yesterday')).code).toBe(2);
  });

  it('says that there is no audit where there is none, and makes none', async () => {
    const spot = await place.fresh();
    for (const command of ['verify', 'export', 'verify']) {
      const { code, err } = await run(spot, command);
      expect(code).toBe(1);
      expect(err).toContain('There is no audit in ');
    }
  });
});
