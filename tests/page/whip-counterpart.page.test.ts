import { expect } from '@playwright/test';
import { startEmbeddedServer } from '../../embedded-server/server.js';
import { participantsOf } from '../../model/scenario.js';
import { broadcast } from '../../scenarios/broadcast.js';
import { WhipServer } from '../../server-setup/whip/whip-server.js';
import { SessionBook } from '../../trial/session-book.js';
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

/** The picture came. */
const refusesSound = /^connected, but no audio from 1p for [\d.]+ s: the server's description refuses audio$/;

for (const [odd, failures, byClosing] of [
  ['no-location', {}, 2],
  ['405', {}, 2],
  ['429', {}, undefined],
  ['late-etag', {}, undefined],
  ['names', {}, undefined],
  ['first-section-refused', { '1v1': refusesSound }, undefined],
] as const satisfies readonly (readonly [string, Readonly<Record<string, RegExp>>, number | undefined])[]) {
  test(`a server with ${odd} is taken as it is, and what is odd about it is told`, long, async ({ probes }) => {
    const far = await foreignServer(python, odd);
    try {
      const sessions = broadcast.sessions(1);
      const addresses = { whip: far.whip, whep: far.whep };
      const server = new WhipServer({ addresses, env: {}, requestTimeoutMs: 9000, streamWithinMs: 7000 });
      const { signal } = new AbortController();
      await server.start(signal);
      const book = new SessionBook(server, sessions, signal);
      await probes.withFleet({}, async ({ fleet, join }) => {
        await join(participantsOf(sessions), book.negotiate, 10_000, book.begin);
        const failed = fleet.records().flatMap((record) => record.failures);
        expect(failed.map(({ probe }) => probe)).toEqual(Object.keys(failures));
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
