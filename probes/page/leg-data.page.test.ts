import { expect } from '@playwright/test';
import { startEmbeddedServer } from '../../embedded-server/server.js';
import { plainDataChannel } from '../../model/data-messages.js';
import { mediaSchema } from '../../model/plan.js';
import type { Sample, StreamSample } from '../../model/sample.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { withData } from '../../scenarios/with-data.js';
import { KurentoServer } from '../../server-setup/kurento/kurento-server.js';
import { long } from '../../tests/effort.js';
import { pause, test } from '../../tests/fleet-stage.js';

const media = mediaSchema.parse({ data: { ...plainDataChannel, perSecond: 20 } });
const { signal } = new AbortController();

const ofMessages = (samples: readonly Sample[], direction: StreamSample['direction']) =>
  samples.flatMap(({ probe, streams }) =>
    streams.flatMap((one) => (one.kind === 'data' && one.direction === direction ? { probe, ...one.metrics } : [])),
  );
const sum = (values: readonly (number | undefined)[]) => values.reduce<number>((all, one) => all + (one ?? 0), 0);

test(
  'messages of a full and an encoded probe go through a server that drops each tenth, and each receiver misses those',
  long,
  async ({ probes }) => {
    const embedded = await startEmbeddedServer({ port: 0, imitation: { dropsMessages: 10, delayMs: 100 } });
    const server = new KurentoServer({ url: embedded.url });
    await server.start(signal);
    const [call] = withData(oneToOne, media).sessions(1);
    if (!call) throw new Error('a call has a session');
    const session = await server.openSession(call, signal);
    await probes.withFleet({ media, encoded: { fullShare: 0.5 } }, async ({ fleet, samples, join }) => {
      await join(call.participants, (request) => session.join(request));
      await pause(7000);
      await fleet.leave();
      expect(
        fleet
          .records()
          .map(({ up, encoded }) => [up, encoded])
          .sort(),
      ).toEqual(
        [
          [true, undefined],
          [true, true],
        ].sort(),
      );
      const [sent, received] = [ofMessages(samples, 'send'), ofMessages(samples, 'receive')];
      const [came, lost] = [
        sum(received.map((one) => one.messagesReceived)),
        sum(received.map((one) => one.messagesLost)),
      ];
      expect(new Set(received.map(({ probe }) => probe))).toEqual(new Set(['1a', '1b']));
      expect(came).toBeGreaterThan(100);
      expect(sum(sent.map((one) => one.messagesSent))).toBeGreaterThan(came);
      // Those of the last 2 s may come yet.
      expect(lost / came).toBeGreaterThan(0.05);
      expect(lost / came).toBeLessThan(1 / 9 + 0.01);
      expect(sum(received.map((one) => one.messagesRepeated))).toBe(0);
      for (const { delayMs } of received) if (delayMs !== undefined) expect(delayMs).toBeGreaterThan(99);
    });
    await server.stop();
    await embedded.close();
  },
);

test('where a server takes no data channel, a probe is not up, and says whose messages are missing', async ({
  probes,
}) => {
  const embedded = await startEmbeddedServer({ port: 0 });
  const server = new KurentoServer({ url: embedded.url });
  await server.start(signal);
  const [plain] = oneToOne.sessions(1);
  const [call] = withData(oneToOne, media).sessions(1);
  if (!call || !plain) throw new Error('a call has a session');
  const session = await server.openSession(plain, signal);
  const legOf = (id: string) => plain.participants.flatMap(({ legs }) => legs.find((leg) => leg.id === id) ?? [])[0];
  await probes.withFleet({ media }, async ({ fleet, join }) => {
    await join(
      call.participants,
      (request) => session.join({ ...request, leg: legOf(request.leg.id) ?? request.leg }),
      6000,
    );
    await pause(6500);
    const failures = fleet.records().flatMap((one) => one.failures);
    expect(failures.map(({ code, missing }) => [code, missing])).toEqual([
      ['no-media', ['data from 1b']],
      ['no-media', ['data from 1a']],
    ]);
    expect(failures[0]?.detail).toContain("the server's description refuses data");
  });
  await server.stop();
  await embedded.close();
});
