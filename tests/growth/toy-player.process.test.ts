import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { wallClock } from '../../cli/wiring/wall-clock.js';
import { findChromium } from '../../probes/chromium/find-chromium.js';
import { serverKinds } from '../../server-setup/kinds.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { SimulatedServer } from '../../simulation/simulated-server.js';
import { long } from '../effort.js';
import { growths } from '../growth.js';
import { hasNats } from '../real-nats.js';
import { toyKind } from '../toy-server/kind.js';
import { builtWith } from './built-with.js';
import { toySinkLines } from './toy-sink.js';

/** What the files of `docs/reference/growing.md` get, which its list and the compiler name. */
const additions = [
  { file: 'model/players.ts', replaces: '\n]);', by: "\n  z.object({ kind: z.literal('toy') }),\n]);" },
  {
    file: 'model/players.ts',
    replaces: /return (players\.kind !== 'signalling')/,
    by: "return players.kind !== 'toy' && $1",
  },
  { file: 'cli/options/media-flags.ts', replaces: "'native', 'none']", by: "'native', 'none', 'toy']" },
  { file: 'cli/options/media-flags.ts', replaces: "case 'full':", by: "case 'toy':\n    case 'full':" },
  {
    file: 'cli/wiring/players.ts',
    replaces: /^/,
    by: "import { toyPlayers } from '../../tests/growth/toy-player.js';\n",
  },
  {
    file: 'cli/wiring/players.ts',
    replaces: 'const players = {',
    by: 'const players = {\n  toy: { start: () => toyPlayers, memoryMb: async () => 0 },',
  },
  {
    file: 'model/cast.ts',
    replaces: "case 'full':",
    by: "case 'toy':\n      return castAs('toy', participants.map(({ id }) => id));\n    case 'full':",
  },
  {
    file: 'cli/live/plan-lines.ts',
    replaces: "case 'full':",
    by: "case 'toy':\n      return 'none: toys';\n    case 'full':",
  },
  {
    file: 'analysis/compare/compared-facts.ts',
    replaces: "case 'full':",
    by: "case 'toy':\n      return 'toys';\n    case 'full':",
  },
];

/** A server that has nothing to do with media, either. */
const server: ServerKind = {
  ...toyKind,
  make: async () =>
    new SimulatedServer({ capacity: 100, seed: 1, ...wallClock, sizeOf: (participants) => participants / 2 }),
};

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-toy-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a toy player needs no file but those of its list', () => {
  const listed = growths.find(({ what }) => what === 'a new player')?.touches.map(({ path }) => path);
  const stranger = additions.filter(({ file }) => !listed?.includes(file));
  expect(stranger).toEqual([]);
});

test(
  'a toy player is played by flag and by plan file, by sessions, by arrivals and on hosts, judged, copied to a toy sink and compared',
  long,
  async () => {
    // Four windows of ten seconds, and a command line that is built.
    test.setTimeout(180_000);
    const run = await builtWith([...additions, ...toySinkLines], folder);
    const loadline = (...args: readonly string[]) => run(args, [...serverKinds, server]);
    const asked = ['--server', 'toy://here', '--media', 'toy'];
    expect((await loadline('plan', 'one-to-one', ...asked)).stdout).toContain('none: toys');
    expect((await loadline('plan', 'one-to-one', '--media', 'toys')).exitCode).toBe(2);

    const copy = join(folder, 'run.jsonl');
    const quick = [
      '--measure',
      '10s',
      '--settle',
      '1s',
      '--pace',
      '50/s',
      '--no-warm-up',
      '--out',
      folder,
      '--toy-file',
      copy,
    ];
    const tried = await loadline('try', 'one-to-one', '--size', '2', ...asked, ...quick, '--format', 'json');
    expect(tried).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('error') });
    const { runDirectory, trials } = JSON.parse(tried.stdout);
    expect(trials.map(({ size, verdict }: { size: number; verdict: string }) => [size, verdict])).toEqual([
      [1, 'stable'],
      [2, 'stable'],
    ]);
    const arriving = [
      '--by',
      'arrivals',
      '--hold',
      '8s',
      '--size',
      '1',
      ...asked,
      ...quick.map((word) => (word === '10s' ? '18s' : word)),
      '--format',
      'json',
    ];
    const came = await loadline('try', 'one-to-one', ...arriving);
    // A busy machine is late and makes it void, but nobody fails.
    expect(JSON.parse(came.stdout).trials).toMatchObject([
      { size: 1, probes: 36, verdict: expect.stringMatching(/^(stable|void)$/) },
    ]);

    // Whoever offers a host names its Chromium, which nothing starts here.
    const chromium = await findChromium({ env: process.env }).catch(() => undefined);
    if (hasNats && chromium) {
      const onHosts = ['--hosts', 'local:2', '--chromium', chromium.path];
      const elsewhere = await loadline('try', 'one-to-one', '--size', '2', ...asked, ...quick, ...onHosts);
      expect(elsewhere).toMatchObject({ exitCode: 0, stderr: expect.not.stringContaining('error') });
    }

    expect(await loadline('judge', runDirectory)).toMatchObject({ exitCode: 0 });
    expect(readFileSync(copy, 'utf8')).toContain('"measurement":"loadline_stream"');

    const plan = join(folder, 'plan.yaml');
    writeFileSync(plan, 'scenario: one-to-one\nserver: toy://here\nmedia: toy\nmax: 2\n');
    expect((await loadline('plan', plan)).stdout).toContain('none: toys');
    expect(await loadline('compare', runDirectory, runDirectory)).toMatchObject({ exitCode: 0 });
  },
);
