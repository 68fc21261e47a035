import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { headline } from '../analysis/report/headline.js';
import { trustSentences } from '../analysis/report/trust-section.js';
import { runCommandLine } from '../cli/command-line.js';
import { planSchema } from '../model/plan.js';
import { serverKinds } from '../server-setup/kinds.js';
import type { ServerKind } from '../server-setup/server-kind.js';
import { aRecord, aRun } from './builders/run-builder.js';
import { calls } from './builders/trial-builder.js';
import { fakeProcess } from './cli/fake-process.js';
import { toyKind } from './toy-server/kind.js';

/** The one line that adds a kind. */
const withToy: readonly ServerKind[] = [...serverKinds, toyKind];

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-kinds-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function loadline(args: readonly string[], kinds = withToy) {
  const env = { XDG_STATE_HOME: join(folder, 'state'), XDG_CACHE_HOME: join(folder, 'cache') };
  const tool = fakeProcess({ args, workingFolder: folder, env });
  const exitCode = await runCommandLine(tool, kinds);
  return { exitCode, stdout: tool.written.stdout(), stderr: tool.written.stderr() };
}

const whipAt = (host: string) => ['--whip', `${host}/{stream}/whip`, '--whep', `${host}/{stream}/whep`];
const planned = (...args: readonly string[]) => loadline(['plan', 'one-to-one', '--max', '4', ...args]);

test('no two kinds share a name, a scheme or a flag that is not one option of both', () => {
  for (const of of [
    serverKinds.map(({ name }) => name),
    serverKinds.flatMap(({ place }) => (place.by === 'address' ? place.schemes : [])),
    [...new Set(serverKinds.flatMap(({ options }) => options))].flatMap(({ flags }) => flags.map(({ flag }) => flag)),
  ]) {
    expect(new Set(of).size).toBe(of.length);
  }
});

for (const kind of withToy) {
  test(`what ${kind.inWords} declares that it can is what its server has`, async () => {
    const url = kind.place.by === 'start' ? {} : { url: kind.place.example };
    const server = { kind: kind.name, ...url };
    const plan = planSchema.parse({ scenario: 'one-to-one', record: kind.abilities.records, server });
    const made = await kind.make({ plan, server, selfCommand: ['node', 'loadline.js'] });
    expect(made.resources !== undefined).toBe(kind.abilities.tellsResources);
    expect(made.recordings !== undefined).toBe(kind.abilities.records);
    expect(kind.abilities.codecs.mixes.length > 0).toBe(kind.abilities.shapes.includes('mix'));
  });
}

test('a kind that was added is in the help, with its flags, and not where it was not added', async () => {
  const { stdout } = await loadline(['find', '--help']);
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'embedded, kurento://HOST:PORT, janus://HOST:PORT, livekit://HOST:PORT, whip --whip URL --whep URL, mediamtx://HOST, live777://HOST, broadcast-box://HOST, srs://HOST, ovenmedia://HOST/APP, antmedia://HOST/APP, web-app --url URL, or toy://HOST',
  );
  expect((await loadline(['help', 'find', '--all'])).stdout).toContain('--toy-rooms <n>');
  expect((await loadline(['help', 'find', '--all'], serverKinds)).stdout).not.toContain('toy');
  expect((await loadline(['doctor', '--help'])).stdout).toContain('toy://HOST');
});

test('an added kind is planned by its address and its flags, on the command line and in a plan file', async () => {
  const { stdout } = await planned('--server', 'toy://here', '--toy-rooms', '3');
  expect(stdout).toContain('server   toy://here with 3 rooms');
  const document = JSON.parse((await planned('--server', 'toy://here', '--format', 'json')).stdout);
  expect(document.plan.server).toEqual({ kind: 'toy', url: 'toy://here' });
  expect(document.plan).not.toHaveProperty('record');
  writeFileSync(join(folder, 'toy.yaml'), 'scenario: one-to-one\nmax: 4\nserver: toy://there\ntoyRooms: 2\n');
  expect((await loadline(['plan', 'toy.yaml'])).stdout).toContain('toy://there with 2 rooms');
  expect((await loadline(['plan', '--schema'])).stdout).toContain('"toyRooms"');
  expect((await loadline(['plan', 'toy.yaml'], serverKinds)).stderr).toContain('toyRooms');
});

test('what a kind cannot do is refused before anything starts, with what to do instead', async () => {
  const toy = ['--server', 'toy://here'];
  for (const [args, says, todo] of [
    [['group', ...toy], 'The toy does not mix what participants send.', 'leave --server out'],
    [['audio-room', ...toy], 'The toy does not mix the sound of rooms without pictures.', 'leave --server out'],
    [['audio-room', '--server', 'janus://here', '--record'], 'A Janus does not record rooms without', 'leave --record'],
    [['sfu-audio-room', '--server', 'janus://here', '--record'], 'A Janus does not record rooms', 'leave --record'],
    [['voice-agent', '--server', 'mediamtx://here'], 'does not answer each participant itself', 'leave --server out'],
    [['audio-room', '--server', 'livekit://here'], 'A LiveKit does not mix the sound', 'sfu-audio-room'],
    [
      ['sfu-group', '--server', 'livekit://here', '--subscribe', 'each'],
      '--subscribe is for a Janus.',
      'leave --subscribe',
    ],
    [['one-to-one', ...toy, '--livekit-token-command', 'x'], 'for a LiveKit', 'leave --livekit-token-command out'],
    [['one-to-one', ...toy, '--livekit-connections', 'one'], 'for a LiveKit', 'leave --livekit-connections out'],
    [['one-to-one', '--server', 'livekit://here', '--livekit-connections', '3'], 'must be one or two', 'one'],
    [['audio-room', '--record'], 'The embedded server does not record rooms without', 'leave --record'],
    [['one-to-one', '--server', 'janus://here', '--codec', 'AV1'], 'A Janus records VP8, not AV1.', 'add --no-record'],
    [
      ['group', '--server', 'janus://here'],
      'A Janus does not mix what participants send.',
      'measure sfu-group, or audio-room, or sfu-audio-room, or leave --server out',
    ],
    [['one-to-one', ...toy, '--record'], 'The toy does not record.', 'add --no-record instead'],
    [['one-to-one', ...toy, '--codec', 'H264'], 'The toy forwards VP8, not H264.', 'give --codec VP8'],
    [['one-to-one', ...toy, '--turn', 'udp'], 'The toy is not reached through a TURN server.', 'leave --turn'],
    [['one-to-one', '--toy-rooms', '3'], '--toy-rooms is for the toy only.', '--server toy://HOST'],
    [['one-to-one', ...toy, '--egress-limit', '3mbit'], 'for the embedded server only', 'leave --egress-limit out'],
    [['one-to-one', ...toy, '--reset', 'restart', '--reset-command', 'x'], '--reset restart', 'kurento://HOST:PORT'],
    [['one-to-one', '--server', 'game://x'], 'game://x', 'toy://HOST'],
    [
      ['one-to-one', '--server', 'whip'],
      'needs the addresses of both endpoints',
      "--whep 'https://host/{stream}/whep'",
    ],
    [['one-to-one', '--server', 'whip', ...whipAt('ftp://h')], 'address "ftp://h', 'with {stream} for the name'],
    [['group', '--server', 'whip', ...whipAt('https://h')], 'A WHIP server does not mix', 'measure sfu-group'],
    [
      ['audio-room', '--server', 'whip', ...whipAt('https://h')],
      'A WHIP server does not mix the sound of rooms without pictures.',
      'measure sfu-audio-room, or sfu-group',
    ],
    [['one-to-one', ...whipAt('https://h')], '--whip and --whep are for --server whip.', 'leave --whip and --whep out'],
  ] as const) {
    const { exitCode, stdout, stderr } = await loadline(['plan', ...args]);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
    expect(stderr).toContain(todo);
  }
});

test('a server that is named by a word and its addresses is planned with a connection for each stream', async () => {
  const { stdout } = await planned('--server', 'whip', ...whipAt('https://h'), '--format', 'json');
  const { plan } = JSON.parse(stdout);
  expect(plan.server).toEqual({ kind: 'whip', url: 'https://h/{stream}/whip', whep: 'https://h/{stream}/whep' });
  expect([plan.subscribe, plan.record]).toEqual(['each', undefined]);
  writeFileSync(
    join(folder, 'w.yaml'),
    "scenario: sfu-group\nmax: 2\nserver: whip\nwhip: 'http://h/{stream}/a'\nwhep: 'http://h/{stream}/b'\n",
  );
  const text = (await loadline(['plan', 'w.yaml'])).stdout;
  expect(text).toContain('streams published at http://h/{stream}/a and viewed at http://h/{stream}/b');
});

test('the report names a server of an added kind first, and says what nothing proves', async () => {
  const server = { kind: toyKind.name, url: 'toy://here' };
  const plan = planSchema.parse({ scenario: 'one-to-one', server });
  const made = await toyKind.make({ plan, server, selfCommand: [] });
  const { signal } = new AbortController();
  const facts = await made.start(signal);
  const record = { ...aRecord(calls(3), { index: 1, size: 3 }), reset: await made.reset(signal) };
  const run = aRun([record], { outcome: 'found', stable: 3, unstable: 4 }, facts);
  expect(headline(run)).toBe('toy 1.2 holds 3 calls (6 probes) on 4 cores, by one trial.');
  const trust = trustSentences(run).join(' ');
  expect(trust).toContain('nothing shows that the server was clean before each trial');
  expect(trust).not.toContain('for trying the tool');
});
