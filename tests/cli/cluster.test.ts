import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runHere } from './run-here.js';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-cluster-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

const planned = (...args: readonly string[]) =>
  runHere(['plan', 'one-to-one', '--max', '1', ...args], { workingFolder: folder });

function servers(...lines: readonly string[]): readonly string[] {
  writeFileSync(join(folder, 'servers.yaml'), `servers:\n${lines.map((line) => `  ${line}\n`).join('')}`);
  return ['--servers', 'servers.yaml'];
}

async function clusterOf(...args: readonly string[]) {
  const { exitCode, stdout, stderr } = await planned(...args, '--format', 'json');
  expect([exitCode, stderr]).toEqual([0, '']);
  return JSON.parse(stdout).plan.server;
}

const two = ['--server', 'kurento://a:8888', '--server', 'kurento://b:8888'];

test('a server that is named again makes a cluster, placed in turn where nothing else is asked', async () => {
  expect(await clusterOf(...two)).toEqual({
    kind: 'cluster',
    placement: 'round-robin',
    members: [
      { name: 'A', server: { kind: 'kurento', url: 'kurento://a:8888' } },
      { name: 'B', server: { kind: 'kurento', url: 'kurento://b:8888' } },
    ],
  });
  expect((await clusterOf(...two, '--placement', 'least-loaded')).placement).toBe('least-loaded');
  expect(await clusterOf(...two, '--placer', 'echo B')).toMatchObject({ placement: 'command', placer: 'echo B' });
});

test('a file of servers says what each weighs, is on and is limited to; a flag is for all that say nothing of it', async () => {
  const listed = servers(
    '- {server: embedded, name: small, weight: 2, hostType: c5.large, egressLimit: 3mbit}',
    '- server: embedded',
  );
  expect((await clusterOf(...listed, '--egress-limit', '5mbit', '--placement', 'weight')).members).toEqual([
    { name: 'small', weight: 2, hostType: 'c5.large', server: { kind: 'embedded', egressLimitBps: 3e6 } },
    { name: 'B', server: { kind: 'embedded', egressLimitBps: 5e6 } },
  ]);
});

test('a plan file may list servers', async () => {
  writeFileSync(
    join(folder, 'loadline.yaml'),
    'scenario: one-to-one\nmax: 1\nplacement: hash\nserver:\n  - kurento://a:1\n  - kurento://b:1\n',
  );
  const { stdout, stderr } = await runHere(['plan', 'loadline.yaml', '--format', 'json'], { workingFolder: folder });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout).plan.server).toMatchObject({ placement: 'hash', members: [{ name: 'A' }, { name: 'B' }] });
});

const wrong: readonly (readonly [what: string, args: () => readonly string[], says: string])[] = [
  ['servers of two kinds', () => [...two, '--server', 'embedded'], 'The servers of a cluster are of one kind.'],
  ['a server twice', () => [...two, '--server', 'kurento://a:8888'], 'named twice: kurento://a:8888'],
  ['a name twice', () => servers('- {server: embedded, name: x}', '- {server: embedded, name: x}'), 'named twice: x'],
  ['--placement for one server', () => ['--placement', 'hash'], '--placement is for several servers'],
  ['a file of one server', () => servers('- server: embedded'), 'names two or more'],
  [
    'a file and a flag',
    () => [...servers('- server: embedded', '- server: embedded'), ...two],
    '--server and --servers both name servers.',
  ],
  ['two ways to place', () => [...two, '--placement', 'hash', '--placer', 'x'], '--placement and --placer both say'],
  ['an unknown placement', () => [...two, '--placement', 'random'], '--placement must be'],
  ['networks', () => [...two, '--network', 'wifi'], 'Networks are made on the way to one server'],
  ['arrivals', () => [...two, '--by', 'arrivals', '--media', 'none', '--hold', '10s'], 'is told of sessions that stay'],
  [
    'a hold without a ramp',
    () => [...two, '--hold-at-limit', '10m'],
    '--hold-at-limit without --strategy ramp changes nothing',
  ],
  ['a drill on one server', () => ['--drill', 'lose-host'], 'one is named'],
  ['a drill on servers of others', () => [...two, '--drill', 'lose-host'], 'write for example --drill-command'],
  ['TURN', () => [...two, '--turn', 'udp'], 'TURN'],
  [
    'a weight that is none',
    () => servers('- {server: embedded, weight: -1}', '- server: embedded'),
    'servers[0].weight',
  ],
  [
    'an unknown key',
    () => servers('- {server: embedded, wieght: 1}', '- server: embedded'),
    'there is no key "wieght" in servers[0]',
  ],
  ['a run that is not there', () => servers('- {server: embedded, run: none}', '- server: embedded'), 'E_RUN'],
];

for (const [what, args, says] of wrong) {
  test(`of a cluster, ${what}: refused before anything starts`, async () => {
    const { exitCode, stdout, stderr } = await planned(...args());
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
  });
}

test('what a stored run of another load says of a server is refused, and of the same load it is its weight', async () => {
  const simulated = ['simulate', 'one-to-one', '--capacity', '2', '--max', '4', '--confirm', '1', '--out', 'runs'];
  await runHere(simulated, { workingFolder: folder });
  const { readdirSync } = await import('node:fs');
  const run = `runs/${readdirSync(join(folder, 'runs'))[0]}`;
  const listed = servers(`- {server: embedded, run: ${run}}`, '- server: embedded');
  expect((await clusterOf(...listed, '--no-record')).members[0].alone).toEqual({ stable: 2, unstable: 3, run });
  const encoded = await clusterOf(...listed, '--no-record', '--media', 'encoded');
  expect(encoded.members[0].alone).toEqual({ stable: 2, unstable: 3, run });
  const { exitCode, stderr } = await planned(...listed, '--no-record', '--video-kbps', '300');
  expect([exitCode, stderr.includes('its media is not that of this run')]).toEqual([2, true]);
});
