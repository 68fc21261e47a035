import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import type { Sample } from '../../../model/sample.js';
import type { Negotiate } from '../../../model/signalling.js';
import { bundleNativeWorker } from '../../../tests/bundled-scripts.js';
import { long } from '../../../tests/effort.js';
import { participant, pause, stream, test } from '../../../tests/fleet-stage.js';
import { startNativeFleet } from '../../native/native-player.js';

const h264 = { width: 640, height: 360, framesPerSecond: 30, videoKbps: 500, videoCodec: 'H264' } as const;
const encoded = { encoded: { fullShare: 0 } };
/** Encoding the clip for the first time takes a while. */
test.setTimeout(150_000);

const lastOf = (samples: readonly Sample[], probe: string): Sample | undefined =>
  samples.filter((sample) => sample.probe === probe).at(-1);

test(
  'an encoded probe sends the clip at its rate and size, which a real decoder takes, and is measured as it is',
  long,
  async ({ probes }) => {
    await probes.withServer({}, (server) =>
      probes.withFleet(encoded, async ({ fleet, samples, join }) => {
        await join([participant('1a')], server.negotiate);
        await pause(8_500);
        const far = await server.videoOf('1a');
        const loud = stream(lastOf(samples, '1a'), 'receive', 'audio').metrics.audioLevel;
        await server.fallSilent();
        await pause(2_500);
        await fleet.leave();
        expect(fleet.records()).toMatchObject([{ up: true, failures: [], encoded: true }]);
        expect(far).toMatchObject({ frameWidth: 640, frameHeight: 360, pliCount: 0 });
        expect(far.framesDecoded).toBeGreaterThan(150);

        const last = lastOf(samples, '1a');
        const sent = stream(last, 'send', 'video');
        const kbps = ((sent.metrics.bytesSent ?? 0) * 8) / (last?.intervalMs ?? 1);
        expect(kbps).toBeGreaterThan(400);
        expect(kbps).toBeLessThan(600);
        expect(sent.metrics).toMatchObject({ frameWidth: 640, frameHeight: 360 });
        expect(sent.metrics.framesReplaced).toBeGreaterThan(25);
        expect(sent.metrics.encodeMs, 'nothing of this size was encoded').toBeUndefined();
        expect(sent.qualityLimitation).toBeUndefined();
        const seen = stream(last, 'receive', 'video').metrics;
        expect(seen).toMatchObject({ frameWidth: 320, frameHeight: 180, freezes: 0, framesDropped: 0 });
        expect(seen.framesDecoded).toBeGreaterThan(10);
        expect(seen.bytesReceived, 'bytes are those that came, not those of the tiny frames').toBeGreaterThan(5_000);
        const heard = stream(last, 'receive', 'audio').metrics;
        expect(loud).toBeGreaterThan(0);
        expect(heard.audioLevel, 'the level is that of now').toBe(0);
        expect(heard.totalSamples).toBeGreaterThan(40_000);
        const said = stream(last, 'send', 'audio').metrics;
        expect(said.packetsSent).toBeGreaterThan(45);
        const saidKbps = ((said.bytesSent ?? 0) * 8) / (last?.intervalMs ?? 1);
        expect(saidKbps).toBeGreaterThan(25);
        expect(saidKbps).toBeLessThan(45);
      }),
    );
  },
);

test(
  'the voice of an encoded probe is heard by a real decoder, in the packets of a browser where the server mixes, and in light ones elsewhere',
  long,
  async ({ probes }) => {
    await probes.withServer({}, (server) =>
      probes.withFleet({ ...encoded, lightVoice: true }, async ({ fleet, join: joined }) => {
        await joined([participant('1a'), participant('1b', { from: { mix: true } })], server.negotiate);
        await pause(6_000);
        const heard = [await server.soundOf('1a'), await server.soundOf('1b')];
        await fleet.leave();
        for (const { audioLevel, totalSamplesReceived, concealedSamples } of heard) {
          expect(audioLevel).toBeGreaterThan(0.01);
          expect(totalSamplesReceived).toBeGreaterThan(150_000);
          expect(concealedSamples / totalSamplesReceived).toBeLessThan(0.1);
        }
      }),
    );
  },
);

test(
  'H264, too: a real decoder takes what is sent, marks included, and what is received counts as it came',
  long,
  async ({ probes }) => {
    await probes.withServer({}, (server) =>
      probes.withFleet({ ...encoded, media: h264 }, async ({ samples, join: joined }) => {
        await joined([participant('1a')], server.negotiate);
        await pause(8_000);
        const before = await server.videoOf('1a');
        await server.askForKeyFrame('1a');
        await pause(2_000);
        const after = await server.videoOf('1a');
        expect(after).toMatchObject({ frameWidth: 640, frameHeight: 360 });
        expect(after.keyFramesDecoded).toBe(before.keyFramesDecoded + 1);
        expect(after.framesDecoded - before.framesDecoded).toBeGreaterThan(45);
        expect(after.framesMarked - before.framesMarked, 'the key frame, and two a second').toBeGreaterThan(3);
        const last = lastOf(samples, '1a');
        expect(stream(last, 'send', 'video').metrics.framesReplaced).toBeGreaterThan(25);
        const seen = stream(last, 'receive', 'video').metrics;
        expect(seen).toMatchObject({ frameWidth: 320, frameHeight: 180, freezes: 0, framesDropped: 0 });
        expect(seen.framesDecoded).toBeGreaterThan(10);
      }),
    );
  },
);

test('what native probes send of H264 is decoded by a real browser, marks included', long, async ({ probes }) => {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-native-'));
  const workerScript = await bundleNativeWorker(join(folder, 'native-worker.cjs'));
  try {
    await probes.withServer({}, (server) =>
      probes.withFleet(
        { workerScript, media: h264 },
        async ({ join: joined }) => {
          await joined([participant('1a')], server.negotiate);
          await pause(3_000);
          const before = await server.videoOf('1a');
          await pause(3_000);
          const after = await server.videoOf('1a');
          expect(after).toMatchObject({ frameWidth: 640, frameHeight: 360, pliCount: before.pliCount });
          expect(after.framesDecoded - before.framesDecoded).toBeGreaterThan(75);
          expect(after.framesMarked - before.framesMarked).toBeGreaterThan(4);
        },
        startNativeFleet,
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a PLI is answered with a real key frame', long, async ({ probes }) => {
  await probes.withServer({}, (server) =>
    probes.withFleet(encoded, async ({ join }) => {
      await join([participant('1a')], server.negotiate);
      await pause(6_000);
      const before = await server.videoOf('1a');
      await server.askForKeyFrame('1a');
      await pause(1_500);
      const after = await server.videoOf('1a');
      expect(after.keyFramesDecoded).toBe(before.keyFramesDecoded + 1);
      expect(after.framesDecoded - before.framesDecoded).toBeGreaterThan(30);
      expect(after).toMatchObject({ frameWidth: 640, frameHeight: 360 });
    }),
  );
});

for (const feedback of ['transport-wide', 'no'] as const) {
  test(
    `the rate of the clip follows what congestion control allows, with ${feedback} feedback`,
    long,
    async ({ probes }) => {
      await probes.withServer({}, ({ negotiate, videoOf }) =>
        probes.withFleet(encoded, async ({ samples, join }) => {
          await join([participant('1a')], narrowed(negotiate, 200, feedback === 'transport-wide'));
          await pause(9_000);
          const own = samples.filter(({ probe }) => probe === '1a').slice(-4);
          const sentMs = own.reduce((sum, { intervalMs }) => sum + intervalMs, 0);
          const bytes = own.reduce((sum, one) => sum + (stream(one, 'send', 'video').metrics.bytesSent ?? 0), 0);
          expect((bytes * 8) / sentMs).toBeGreaterThan(110);
          expect((bytes * 8) / sentMs).toBeLessThan(215);
          expect(await videoOf('1a')).toMatchObject({ frameWidth: 640, pliCount: 0 });
        }),
      );
    },
  );
}

test('a share of the probes stays full, in a browser of its own', long, async ({ probes }) => {
  await probes.withServer({}, ({ negotiate }) =>
    probes.withFleet({ encoded: { fullShare: 0.5 } }, async ({ fleet, samples, join }) => {
      await join([participant('1a'), participant('2a')], negotiate);
      await pause(5_000);
      expect(fleet.records().map(({ up, browser, encoded: kind }) => [up, browser, kind])).toEqual([
        [true, 0, undefined],
        [true, 1, true],
      ]);
      expect(stream(lastOf(samples, '1a'), 'send', 'video').metrics.encodeMs).toBeGreaterThan(0);
      expect(stream(lastOf(samples, '2a'), 'send', 'video').metrics.framesReplaced).toBeGreaterThan(20);
    }),
  );
});

/** The far end's answer allows no more than this for video (RFC 8866, 5.8), with or without transport-wide feedback. */
function narrowed(negotiate: Negotiate, kbps: number, transportWide: boolean): Negotiate {
  return async (request) => {
    const agreed = await negotiate(request);
    const answer = agreed.answer.replace(/(m=video .*\r\nc=.*\r\n)/, `$1b=AS:${kbps}\r\n`);
    return { ...agreed, answer: transportWide ? answer : answer.replace(/^a=.*transport-(cc|wide-cc).*\r\n/gm, '') };
  };
}
