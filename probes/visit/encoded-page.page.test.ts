import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import type { StreamSample } from '../../model/sample.js';
import { ownTransform } from '../../model/visited-page.js';
import { long } from '../../tests/effort.js';
import { soon } from '../../tests/soon.js';
import { test, type Visiting, type VisitStage } from '../../tests/visit/visit-stage.js';

const timeout = 15_000;

const encoded = async ({ picturesPath }: VisitStage) => ({
  settings: { pictures: await readFile(picturesPath, 'utf8') },
});

/** Of the video in this direction, as last read. */
function metrics({ readings }: Visiting, direction: StreamSample['direction']): Readonly<Record<string, number>> {
  const streams = (readings.at(-1)?.connections ?? []).flatMap((one) => one.streams);
  const found = streams.find(({ sample }) => sample?.direction === direction && sample.kind === 'video');
  return { ...found?.sample?.metrics };
}

const widths = (visit: Visiting) => [metrics(visit, 'send').frameWidth, metrics(visit, 'receive').frameWidth];

/** How far the reds of the video that the page shows are apart: 0 of one that is all grey. */
const contrast = ({ visited: { page } }: Visiting): Promise<number> =>
  page.evaluate(`(() => {
    const video = document.querySelector('video');
    const pen = new OffscreenCanvas(320, 180).getContext('2d');
    if (!video) return -1;
    pen.drawImage(video, 0, 0);
    const reds = [...pen.getImageData(0, 0, 320, 180).data].filter((_, nth) => nth % 4 === 0);
    return reds.reduce((most, red) => Math.max(most, red), 0) - reds.reduce((least, red) => Math.min(least, red), 255);
  })()`);

test('received pictures are not decoded, and the app sees as many, of the size that was sent', async ({ stage }) => {
  await stage.visiting(
    '/?act=call',
    async (visit) => {
      await soon(() => metrics(visit, 'receive').framesDecoded ?? 0, { timeout }).toBeGreaterThan(15);
      const received = metrics(visit, 'receive');
      expect(received).toMatchObject({ frameWidth: 320, frameHeight: 180, freezes: 0, plisSent: 0 });
      expect(received).not.toHaveProperty('qpSum');
      const { page } = visit.visited;
      expect(await page.evaluate("document.querySelector('video').videoWidth")).toBe(320);
      await soon(() => contrast(visit), { timeout }).toBeLessThan(8);
      const texts = "[RTCRtpSender.prototype.setParameters, MediaDevices.prototype.getUserMedia].map(String).join(' ')";
      expect(await page.evaluate(texts)).toBe(
        'function setParameters() { [native code] } function getUserMedia() { [native code] }',
      );
      expect(visit.frames.at(-1)?.unspared).toEqual([]);
    },
    await encoded(stage),
  );
});

test('a page whose worker is held up says that it was late', async ({ stage }) => {
  await stage.visiting(
    '/?act=call',
    async (visit) => {
      await soon(() => metrics(visit, 'receive').framesDecoded ?? 0, { timeout }).toBeGreaterThan(15);
      const begin = visit.readings.length;
      const [worker] = visit.visited.page.workers();
      await worker?.evaluate('for (const end = performance.now() + 900; performance.now() < end; );');
      const worst = () => Math.max(0, ...visit.readings.slice(begin).map(({ lateMs }) => lateMs));
      await soon(worst, { timeout }).toBeGreaterThan(300);
    },
    await encoded(stage),
  );
});

test('an app that transforms encoded media itself keeps them, and that is told', async ({ stage }) => {
  await stage.visiting(
    '/?act=nothing',
    async (visit) => {
      const isOwn = await visit.visited.page.evaluate(`(async () => {
        const code = 'onrtctransform = ({ transformer: { readable, writable } }) => readable.pipeTo(writable);';
        const worker = new Worker(URL.createObjectURL(new Blob([code])));
        const { near, far } = await connect();
        const sender = near.getSenders().find(({ track }) => track.kind === 'video');
        const receiver = far.getReceivers().find(({ track }) => track.kind === 'video');
        const before = [sender.transform, receiver.transform];
        const [first, second] = [new RTCRtpScriptTransform(worker), new RTCRtpScriptTransform(worker)];
        [sender.transform, receiver.transform] = [first, second];
        return [...before, sender.transform === first, receiver.transform === second];
      })()`);
      expect(isOwn).toEqual([null, null, true, true]);
      await soon(() => visit.frames.at(-1)?.unspared, { timeout }).toEqual([ownTransform]);
      await soon(() => contrast(visit), { timeout }).toBeGreaterThan(30);
    },
    await encoded(stage),
  );
});

test(
  'what a steady encoder made is sent again while it rests, unseen by the app and by who receives',
  long,
  async ({ stage }) => {
    test.setTimeout(90_000);
    await stage.visiting(
      '/?act=nothing',
      async (visit) => {
        const { page } = visit.visited;
        await page.evaluate(`connect().then(({ near }) => {
        window.sender = near.getSenders().find(({ track }) => track.kind === 'video');
        const parameters = sender.getParameters();
        parameters.encodings[0].maxBitrate = 200_000;
        parameters.encodings[0].scaleResolutionDownBy = 2;
        return sender.setParameters(parameters);
      })`);
        const encodings = () => page.evaluate('sender.getParameters().encodings');
        const before = await encodings();
        // Encoding times are known for as long as it encodes.
        await soon(() => 'encodeMs' in metrics(visit, 'send'), { timeout }).toBe(true);
        const works = () => {
          const { encodeMs, targetKbps } = metrics(visit, 'send');
          const { connections = [] } = visit.readings.at(-1) ?? {};
          const allowed = connections.map(({ leg }) => leg.availableOutgoingKbps);
          return encodeMs === undefined ? 'rests' : `${encodeMs} ms at ${targetKbps} of ${allowed} kbit/s`;
        };
        await soon(works, { timeout: 45_000 }).toBe('rests');
        const count = visit.readings.length;
        await soon(() => visit.readings.length, { timeout }).toBeGreaterThan(count + 2);
        expect(widths(visit)).toEqual([160, 160]);
        expect(await encodings()).toEqual(before);
        // The app's own word ends it, and counts.
        await page.evaluate(`(() => {
        const parameters = sender.getParameters();
        for (const encoding of parameters.encodings) encoding.scaleResolutionDownBy = 4;
        return sender.setParameters(parameters);
      })()`);
        await soon(() => widths(visit), { timeout }).toEqual([80, 80]);
        expect(visit.frames.at(-1)?.unspared).toEqual([]);
      },
      await encoded(stage),
    );
  },
);
