import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { expect, test } from '@playwright/test';
import { bundlePageScript } from '../../../tests/bundled-scripts.js';
import { unpackClip } from '../../page/encoded/clip-file.js';
import { findChromium } from '../find-chromium.js';
import { encodedClip } from './encoded-clip.js';
import { mediaFiles } from './media-files.js';

test.setTimeout(90_000);

/** The mode of an Opus packet is in its first byte (RFC 6716, 3.1). */
const isOfCeltAlone = ([toc = 0]: Uint8Array): boolean => toc >> 3 >= 16;

test('the light voice of a clip is of CELT alone, packet for packet of the sizes that a browser sends, and one that is there is not made again', async () => {
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
  } finally {
    await rm(cacheFolder, { recursive: true, force: true });
  }
});
