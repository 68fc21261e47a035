import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { expect, test } from '@playwright/test';
import { chromium } from 'playwright-core';
import { bundlePageScript } from '../../../tests/bundled-scripts.js';
import { unpackClip } from '../../page/encoded/clip-file.js';
import { paddingBytes } from '../../page/encoded/light-voice.js';
import { markBytes, readMark, writeMark } from '../../page/frame-mark.js';
import { findChromium } from '../find-chromium.js';
import { encodedClip } from './encoded-clip.js';
import { mediaFiles } from './media-files.js';

test.setTimeout(90_000);

/** The mode of an Opus packet is in its first byte (RFC 6716, 3.1). */
const isOfCeltAlone = ([toc = 0]: Uint8Array): boolean => toc >> 3 >= 16;

const mark = { sender: 0xfedc_ba98, clock: 77, takenUs: 1.76e15 };

/** In the padding of a packet, where that has room. */
function withMark(packet: Uint8Array): Uint8Array {
  const marked = packet.slice();
  if (paddingBytes(packet) >= markBytes) writeMark(mark, marked, packet.length - markBytes);
  return marked;
}

interface Heard {
  readonly samples: number;
  readonly energy: number;
  readonly digest: string;
  readonly problems: readonly string[];
}

/** Plain JavaScript of a page: what its decoder makes of each of these voices. */
const decodeAll = `async (voices) => {
  const heard = [];
  for (const packets of voices) {
    const parts = [];
    const output = (data) => {
      const part = new Float32Array(data.numberOfFrames);
      data.copyTo(part, { planeIndex: 0, format: 'f32-planar' });
      parts.push(part);
      data.close();
    };
    const problems = [];
    const decoder = new AudioDecoder({ output, error: (error) => problems.push(String(error)) });
    decoder.configure({ codec: 'opus', sampleRate: 48_000, numberOfChannels: 1 });
    packets.forEach((packet, nth) =>
      decoder.decode(new EncodedAudioChunk({ type: 'key', timestamp: 20_000 * nth, data: Uint8Array.from(packet) })),
    );
    await decoder.flush();
    const whole = new Float32Array(await new Blob(parts).arrayBuffer());
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', whole));
    const energy = whole.reduce((sum, sample) => sum + sample * sample, 0);
    heard.push({ samples: whole.length, energy, digest: hash.join(), problems });
  }
  return heard;
}`;

async function decoded(executablePath: string, voices: readonly (readonly Uint8Array[])[]): Promise<readonly Heard[]> {
  const browser = await chromium.launch({ executablePath });
  try {
    const page = await browser.newPage();
    await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
    await page.goto('http://localhost/');
    const said = voices.map((packets) => packets.map((packet) => [...packet]));
    return await page.evaluate<readonly Heard[]>(`(${decodeAll})(${JSON.stringify(said)})`);
  } finally {
    await browser.close();
  }
}

test('the light voice of a clip is of CELT alone, packet for packet of the sizes that a browser sends, sounds the same with marks in its padding, and one that is there is not made again', async () => {
  const cacheFolder = await mkdtemp(join(tmpdir(), 'loadline-clip-test-'));
  try {
    const found = await findChromium({ env });
    if (!found) throw new Error('this test needs a Chromium');
    const script = await readFile(await bundlePageScript(join(cacheFolder, 'page.js')), 'utf8');
    const media = { width: 64, height: 36, framesPerSecond: 15, videoKbps: 60, videoCodec: 'VP8' } as const;
    const files = await mediaFiles(cacheFolder, media);
    const order = { cacheFolder, media, files, chromiumPath: found.path, script };
    const path = await encodedClip(order);
    const { packets, lightPackets } = unpackClip(await readFile(path));
    expect(packets.length).toBeGreaterThan(300);
    expect(lightPackets.map(({ byteLength }) => byteLength)).toEqual(packets.map(({ byteLength }) => byteLength));
    expect(packets.filter(isOfCeltAlone)).toEqual([]);
    expect(lightPackets.filter(isOfCeltAlone).length / packets.length).toBeGreaterThan(0.98);
    expect(await encodedClip({ ...order, chromiumPath: '/nowhere' })).toBe(path);
    const marked = lightPackets.map(withMark);
    expect(marked.filter((packet) => readMark(packet)).length / packets.length).toBeGreaterThan(0.98);
    const [plain, other] = await decoded(found.path, [lightPackets, marked]);
    expect(plain?.problems).toEqual([]);
    expect(plain?.samples).toBeGreaterThan(300 * 960 * 0.98);
    expect(plain?.energy).toBeGreaterThan(1);
    expect(other).toEqual(plain);
  } finally {
    await rm(cacheFolder, { recursive: true, force: true });
  }
});
