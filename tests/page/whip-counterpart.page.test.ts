import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { startEmbeddedServer } from '../../embedded-server/server.js';
import type { ReceiveMetric } from '../../model/metric.js';
import type { Sample } from '../../model/sample.js';
import { type Participant, participantsOf, type Session } from '../../model/scenario.js';
import { startNativeFleet } from '../../probes/native/native-player.js';
import { broadcast } from '../../scenarios/broadcast.js';
import { voiceAgent } from '../../scenarios/voice-agent.js';
import { WhipServer } from '../../server-setup/whip/whip-server.js';
import { SessionBook } from '../../trial/session-book.js';
import { bundleNativeWorker } from '../bundled-scripts.js';
import { foreignClient, foreignServer, pythonWithAiortc, whyNoAiortc } from '../counterparts/aiortc.js';
import { long } from '../effort.js';
import { failureCodes, pause, stream, test } from '../fleet-stage.js';

const python = pythonWithAiortc() ?? '';
test.beforeEach(() => {
  test.skip(python === '', python === '' ? whyNoAiortc() : '');
});

test(
  'a publisher and a viewer of ours have media through a server of WHIP and WHEP that is not',
  long,
  async ({ probes }) => {
    const far = await foreignServer(python);
    try {
      const sessions = broadcast.sessions(1);
      const participants = participantsOf(sessions);
      const addresses = { whip: far.whip, whep: far.whep };
      const server = new WhipServer({ addresses, env: {}, requestTimeoutMs: 15_000, streamWithinMs: 15_000 });
      const { signal } = new AbortController();
      expect(await server.start(signal)).toMatchObject({ kind: 'whip', nature: 'product' });
      const book = new SessionBook(server, sessions, signal);
      await probes.withFleet({}, async ({ fleet, join, samples }) => {
        await join(participants, book.negotiate, 20_000, book.begin);
        expect(failureCodes(fleet)).toEqual({ '1p': [], '1v1': [] });
        await pause(4000);
        const viewed = samples.findLast(({ probe }) => probe === '1v1');
        expect(stream(viewed, 'receive', 'video').metrics.framesDecoded).toBeGreaterThan(0);
        expect(stream(viewed, 'receive', 'audio').metrics.packetsReceived).toBeGreaterThan(0);
        expect(await far.sessions()).toBe(2);
        await book.close();
        expect(await far.sessions()).toBe(0);
      });
      await server.stop();
    } finally {
      await far.close();
    }
  },
);

test('a client that is not ours publishes to the embedded server and views its own stream', long, async () => {
  const server = await startEmbeddedServer({ port: 0 });
  try {
    const [whip, whep] = [server.whip, server.whep].map((url) => url.replace('{stream}', 'theirs'));
    const { audio, video, ended } = await foreignClient(python, whip ?? '', whep ?? '', 5);
    expect(ended).toEqual([200, 200]);
    expect(audio).toBeGreaterThan(50);
    expect(video).toBeGreaterThan(20);
  } finally {
    await server.close();
  }
});

test(
  'a voice agent on a server of WHIP that is not ours is heard on the connection that speaks to it',
  long,
  async ({ probes }) => {
    const far = await foreignServer(python, 'agent');
    try {
      const sessions = voiceAgent.sessions(1);
      const { server, book } = await started({ whip: far.whip, whep: far.whip }, sessions);
      await probes.withFleet({}, async ({ fleet, join, samples }) => {
        await join(participantsOf(sessions), book.negotiate, 10_000, book.begin);
        expect(failureCodes(fleet)).toEqual({ '1a': [] });
        await pause(2500);
        const heard = stream(samples.at(-1), 'receive', 'audio').metrics;
        expect([heard.packetsReceived, heard.audioLevel]).toEqual([expect.any(Number), expect.any(Number)]);
        expect(heard.packetsReceived).toBeGreaterThan(20);
        expect(await far.sessions()).toBe(1);
        await book.close();
        expect(await far.sessions()).toBe(0);
      });
      await server.stop();
    } finally {
      await far.close();
    }
  },
);

async function started(addresses: Readonly<Record<'whip' | 'whep', string>>, sessions: readonly Session[]) {
  const server = new WhipServer({ addresses, env: {}, requestTimeoutMs: 9000, streamWithinMs: 7000 });
  const { signal } = new AbortController();
  await server.start(signal);
  return { server, book: new SessionBook(server, sessions, signal), signal };
}

/** The picture came. */
const refusesSound = /^connected, but no audio from 1p for [\d.]+ s: the server's description refuses audio$/;

for (const [odd, failures, byClosing] of [
  ['no-location', {}, 2],
  ['405', {}, 2],
  ['429', {}, undefined],
  ['late-etag', {}, undefined],
  ['names', {}, undefined],
  ['tcp', {}, undefined],
  ['first-section-refused', { '1v1': refusesSound }, undefined],
] as const satisfies readonly (readonly [string, Readonly<Record<string, RegExp>>, number | undefined])[]) {
  test(`a server with ${odd} is taken as it is, and what is odd about it is told`, long, async ({ probes }) => {
    const far = await foreignServer(python, odd);
    try {
      const sessions = broadcast.sessions(1);
      const { server, book, signal } = await started({ whip: far.whip, whep: far.whep }, sessions);
      await probes.withFleet({}, async ({ fleet, join, samples }) => {
        await join(participantsOf(sessions), book.negotiate, 10_000, book.begin);
        const failed = fleet.records().flatMap((record) => record.failures);
        expect(failed.map(({ probe }) => probe)).toEqual(Object.keys(failures));
        if (odd === 'tcp') expect(await wayOf(samples)).toEqual(['tcp']);
        for (const [probe, says] of Object.entries(failures))
          expect(failed.find((one) => one.probe === probe)?.detail).toMatch(says);
        await fleet.leave();
        await book.close();
        expect((await server.reset(signal)).byClosing?.connections).toBe(byClosing);
      });
      await server.stop();
    } finally {
      await far.close();
    }
  });
}

/** Of all connections: the protocol of the candidate that carries it. */
async function wayOf(samples: readonly Sample[]): Promise<readonly (string | undefined)[]> {
  await pause(2500);
  return [...new Set(samples.flatMap(({ legs }) => legs.map(({ protocol }) => protocol)))];
}

test(
  'padding under the numbers of the picture is neither loss nor bits, and native probes count as browsers do',
  long,
  async ({ probes }) => {
    const far = await foreignServer(python, 'padding');
    const folder = await mkdtemp(join(tmpdir(), 'loadline-native-'));
    const workerScript = await bundleNativeWorker(join(folder, 'native-worker.cjs'));
    try {
      const sessions = broadcast.sessions(2);
      const { server, book } = await started({ whip: far.whip, whep: far.whep }, sessions);
      const [publisher, viewer, other] = participantsOf(sessions);
      await probes.withFleet({}, (full) =>
        probes.withFleet(
          { workerScript },
          async (native) => {
            await full.join([publisher, viewer] as Participant[], book.negotiate, 15_000, book.begin);
            await native.join([other] as Participant[], book.negotiate, 15_000, book.begin);
            expect([...full.fleet.records(), ...native.fleet.records()].flatMap(({ failures }) => failures)).toEqual(
              [],
            );
            await pause(2000);
            const before = await far.sent();
            const fromMs = Date.now();
            await pause(5000);
            const after = await far.sent();
            const seen = [full.samples.filter(({ probe }) => probe === viewer?.id), native.samples].map((samples) =>
              totalsOf(samples.filter(({ atMs }) => atMs > fromMs)),
            );
            expect(seen.map(({ packetsLost }) => packetsLost)).toEqual([0, 0]);
            for (const [nth, { framesDecoded, bytesReceived }] of seen.entries()) {
              expect(framesDecoded).toBeGreaterThan(60);
              const grown = (what: 'media' | 'padding') => (after[nth]?.[what] ?? 0) - (before[nth]?.[what] ?? 0);
              const padding = grown('padding') / grown('media');
              const counted = bytesReceived / grown('media');
              // A reading more or less at either end.
              expect(counted, `${counted} of the picture, and ${padding} of padding beside it`).toBeLessThan(1.3);
              expect(padding).toBeGreaterThan(0.4);
            }
            await book.close();
          },
          startNativeFleet,
        ),
      );
      await server.stop();
    } finally {
      await far.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
);

function totalsOf(samples: readonly Sample[]) {
  const total = (metric: ReceiveMetric) =>
    samples.reduce((sum, one) => sum + (stream(one, 'receive', 'video').metrics[metric] ?? Number.NaN), 0);
  return {
    packetsLost: total('packetsLost'),
    framesDecoded: total('framesDecoded'),
    bytesReceived: total('bytesReceived'),
  };
}
