import { expect, test } from '@playwright/test';
import type { Imitation } from '../../embedded-server/imitation.js';
import { startEmbeddedServer } from '../../embedded-server/server.js';
import type { EncodableCodec } from '../../model/codec.js';
import type { MediaKind } from '../../model/scenario.js';
import { senderOf } from '../../model/sender-mark.js';
import { NativeLink } from '../../rtp/native-link.js';
import { long } from '../../tests/effort.js';
import { nativeCall } from '../../tests/embedded/native-call.js';
import { TestClient } from '../../tests/embedded/test-client.js';
import { soon } from '../../tests/soon.js';
import type { MarkFigures } from '../page/mark-counts.js';

const timeout = 20_000;

/** What the marks of one kind say of three seconds of a call, at both ends. */
async function marksOf(
  imitation: Partial<Imitation>,
  kind: MediaKind = 'video',
  codec: EncodableCodec = 'VP8',
): Promise<readonly MarkFigures[]> {
  const server = await startEmbeddedServer({ port: 0, imitation });
  const client = await TestClient.open(server.url);
  await NativeLink.prepare();
  const peers = await nativeCall(client, undefined, codec);
  try {
    for (const { marks } of peers)
      await soon(() => marks?.take().marks.get(kind)?.marked ?? 0, { timeout }).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 500));
    for (const { marks } of peers) marks?.take();
    await new Promise((resolve) => setTimeout(resolve, 3000));
    return peers.flatMap(({ marks }) => marks?.take().marks.get(kind) ?? []);
  } finally {
    for (const peer of peers) peer.close();
    client.close();
    await server.close();
  }
}

const meanMs = ({ delays: [by] }: MarkFigures): number => by?.meanMs ?? Number.NaN;

/** Server and probes share this process, and other tests this host: a tenth of a second is no claim about time. */
const floorMs = 100;
const apartMs = 50;

test(
  'native probes tell the delay that a server adds, by each frame with a mark, and little where it adds nothing',
  long,
  async () => {
    const [without, held] = [await marksOf({}), await marksOf({ delayMs: 150 })];
    for (const end of [...without, ...held]) {
      expect(end).toMatchObject({ foreign: 0, delays: [{ count: end.marked }] });
      expect(end.marked).toBeGreaterThan(0);
    }
    const [least = Number.NaN, added = Number.NaN] = [without, held].map((ends) => Math.min(...ends.map(meanMs)));
    expect(least).toBeGreaterThanOrEqual(0);
    expect(least).toBeLessThan(floorMs);
    expect(Math.abs(added - least - 150), `${least} and ${added} ms`).toBeLessThan(apartMs);
  },
);

test(
  'where a server gives each its own picture in place of the other one, all frames are told as foreign',
  long,
  async () => {
    const [a, b] = await marksOf({ pictureFault: 'swapped' });
    expect(a).toMatchObject({ foreign: a?.marked, foreignSender: senderOf('1a') });
    expect(b).toMatchObject({ foreign: b?.marked, foreignSender: senderOf('1b') });
  },
);

test('native probes tell the delay, and whose the picture is, of H264, too', long, async () => {
  const h264 = (imitation: Partial<Imitation>) => marksOf(imitation, 'video', 'H264');
  const [without, held] = [await h264({}), await h264({ delayMs: 150, pictureFault: 'swapped' })];
  for (const end of [...without, ...held]) {
    expect(end.delays).toMatchObject([{ count: end.marked }]);
    expect(end.marked).toBeGreaterThan(4);
  }
  expect(without.map(({ foreign }) => foreign)).toEqual([0, 0]);
  expect(held.map(({ foreignSender }) => foreignSender)).toEqual([senderOf('1a'), senderOf('1b')]);
  const [least = Number.NaN, added = Number.NaN] = [without, held].map((ends) => Math.min(...ends.map(meanMs)));
  expect(Math.abs(added - least - 150), `${least} and ${added} ms`).toBeLessThan(apartMs);
});

test('where a server holds back ever longer, frames are later and later', long, async () => {
  const steady = await marksOf({ delayMs: 20 });
  const growing = await marksOf({ delayMs: 20, delayGrowthMs: 200 });
  // Half a second and more is over before they are read, and three seconds until the last: a mean of some 400 ms.
  const [least = Number.NaN, most = Number.NaN] = [steady, growing].map((ends) => Math.min(...ends.map(meanMs)));
  expect(most - least, `${least} and ${most} ms`).toBeGreaterThan(150);
});

test('sound tells its delay and whose it is in its padding, and what a server holds it back for', long, async () => {
  const [without, held] = [await marksOf({}, 'audio'), await marksOf({ soundDelayMs: 120 }, 'audio')];
  for (const end of [...without, ...held]) {
    expect(end).toMatchObject({ unmarked: 0, foreign: 0, delays: [{ count: end.marked }] });
    expect(end.marked).toBeGreaterThan(120);
  }
  const [least = Number.NaN, added = Number.NaN] = [without, held].map((ends) => Math.min(...ends.map(meanMs)));
  expect(least).toBeGreaterThanOrEqual(0);
  expect(least).toBeLessThan(floorMs);
  expect(Math.abs(added - least - 120), `${least} and ${added} ms`).toBeLessThan(apartMs);
});

test(
  'where a server gives each its own sound in place of the other one, all packets are told as foreign',
  long,
  async () => {
    const [a, b] = await marksOf({ soundFault: 'swapped' }, 'audio');
    expect(a).toMatchObject({ foreign: a?.marked, foreignSender: senderOf('1a') });
    expect(b).toMatchObject({ foreign: b?.marked, foreignSender: senderOf('1b') });
  },
);
