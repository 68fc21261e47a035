import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { CameraPictures, stillTop } from '../../model/camera-picture.js';
import { pathWithVmaf, withPath } from '../../tests/ffmpeg-with-vmaf.js';
import { clipShape, mediaFiles } from './media/media-files.js';
import { vmafOf } from './vmaf.js';

const size = { width: 640, height: 360, framesPerSecond: 30 } as const;
const media = { ...size, videoKbps: 500, videoCodec: 'VP8' } as const;
const shape = clipShape(size);
const [index, bytes] = [60, (size.width * size.height * 3) / 2];
const top = Math.ceil(size.height * stillTop);

let [folder, camera] = ['', ''];

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loadline-vmaf-'));
  ({ camera } = await mediaFiles(folder, media));
});

test.afterAll(() => rm(folder, { recursive: true }));

/** The lower part of a picture, as a page gives it. */
const lookAt = (luma: Uint8Array) => ({
  index,
  received: Buffer.from(luma.subarray(top * size.width)).toString('base64'),
});

/** That picture of the clip, as it comes out of an encoder. */
function codedAt(kbps: number): Uint8Array {
  const file = join(folder, `${kbps}.webm`);
  const rate = ['-deadline', 'realtime', '-cpu-used', '8', '-b:v', `${kbps}k`, '-maxrate', `${kbps}k`];
  spawnSync('ffmpeg', ['-v', 'error', '-y', '-i', camera, '-c:v', 'libvpx', ...rate, '-bufsize', `${kbps}k`, file]);
  const raw = ['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-'];
  const { stdout } = spawnSync('ffmpeg', ['-v', 'error', '-i', file, ...raw], { maxBuffer: 200 * bytes });
  return stdout.subarray(index * bytes, index * bytes + size.width * size.height);
}

test('the picture that was sent is near 100, and one of 150 kbit/s is below one of 500', async () => {
  test.skip(pathWithVmaf === undefined, 'needs an ffmpeg with libvmaf, which .ci/run brings');
  const failures: string[] = [];
  await withPath(pathWithVmaf ?? '', async () => {
    const vmaf = vmafOf(camera, shape, (why) => failures.push(why));
    const sent = new CameraPictures(shape).luma(index);
    expect(await vmaf(lookAt(sent))).toBeGreaterThan(97);
    const [low = Number.NaN, usual = Number.NaN] = [await vmaf(lookAt(codedAt(150))), await vmaf(lookAt(codedAt(500)))];
    expect(low).toBeGreaterThan(0);
    expect(usual).toBeGreaterThan(low + 10);
    expect(usual).toBeLessThan(99);
  });
  expect(failures).toEqual([]);
});

test('where ffmpeg has no VMAF nothing is told, and nothing is wrong', async () => {
  await withPath('/nowhere', async () => {
    const vmaf = vmafOf(camera, shape, (why) => expect(why).toBe('never'));
    expect(await vmaf(lookAt(new Uint8Array(size.width * size.height)))).toBeUndefined();
  });
});

test('a measure that fails is told of once, and then nobody asks for more', async () => {
  test.skip(pathWithVmaf === undefined, 'needs an ffmpeg with libvmaf, which .ci/run brings');
  const failures: string[] = [];
  await withPath(pathWithVmaf ?? '', async () => {
    const vmaf = vmafOf(join(folder, 'absent'), shape, (why) => failures.push(why));
    const look = lookAt(new Uint8Array(size.width * size.height));
    expect([await vmaf(look), await vmaf(look)]).toEqual([undefined, undefined]);
  });
  expect(failures).toHaveLength(1);
});
