import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { MediaKind } from '../../model/scenario.js';
import { type RtpPacket, readRtp } from '../../rtp/rtp.js';
import { startsKeyFrame } from '../../rtp/vp8.js';
import { checkRecording } from '../../server-setup/recordings/check-recording.js';
import { isInstalled } from '../../tests/installed.js';
import { randomFrom } from '../../tests/random.js';
import { Recording } from './recording.js';
import { WebmFile } from './webm-file.js';

const tools = isInstalled(['gst-launch-1.0', 'ffprobe']);

test('RTP of a picture and a sound, some of it late as after a loss, becomes a file with both tracks, its length and every frame', async () => {
  test.skip(!tools, 'GStreamer or ffmpeg is not installed');
  const folder = await mkdtemp(join(tmpdir(), 'loadline-webm-test-'));
  const path = join(folder, 'one.webm');
  const recording = new Recording(await WebmFile.create(path), { onKeyFrameNeeded: () => {}, onFailed: () => {} });
  let firstAtMs: number | undefined;
  let lastAtMs = 0;
  const random = randomFrom(1);
  const source = await startSource((kind, packet) => {
    firstAtMs ??= performance.now();
    const receive = (): void => {
      lastAtMs = performance.now();
      recording.receive(kind, packet, lastAtMs);
    };
    if (random() < 0.05) setTimeout(receive, 200);
    else receive();
  });
  await sleep(2500);
  await source.stop();
  await sleep(250);
  await recording.close();
  await recording.close();
  const durationMs = lastAtMs - (firstAtMs ?? 0);
  const problems = await checkRecording(path, { durationMs, kinds: ['audio', 'video'], framesPerSecond: 30 });
  await rm(folder, { recursive: true });
  expect(problems).toEqual([]);
});

test('a file that cannot be created is an error at once', async () => {
  await expect(WebmFile.create('/nonexistent/folder/x.webm')).rejects.toThrow('ENOENT');
});

interface Source {
  stop(): Promise<void>;
}

async function startSource(onPacket: (kind: MediaKind, packet: RtpPacket) => void): Promise<Source> {
  const sockets: Socket[] = [];
  const port = async (kind: MediaKind): Promise<number> => {
    const socket = createSocket('udp4');
    socket.on('message', (datagram) => {
      const packet = readRtp(datagram);
      if (packet !== undefined) onPacket(kind, packet);
    });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    sockets.push(socket);
    return socket.address().port;
  };
  const video = `videotestsrc is-live=true ! video/x-raw,width=640,height=360,framerate=30/1 ! vp8enc deadline=1 cpu-used=8 ! rtpvp8pay mtu=1200 picture-id-mode=15-bit ! udpsink host=127.0.0.1 port=${await port('video')}`;
  const audio = `audiotestsrc is-live=true ! opusenc ! rtpopuspay ! udpsink host=127.0.0.1 port=${await port('audio')}`;
  const child: ChildProcess = spawn('gst-launch-1.0', `-q ${video} ${audio}`.split(' '), { stdio: 'ignore' });
  return {
    stop: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
      for (const socket of sockets) socket.close();
    },
  };
}

test('only the first packet of a key frame begins a recording, whatever its descriptor holds', () => {
  const keyHead = 0x10;
  const deltaHead = 0x11;
  expect(startsKeyFrame(Buffer.from([0x10, keyHead]))).toBe(true);
  expect(startsKeyFrame(Buffer.from([0x10, deltaHead]))).toBe(false);
  // The rest of a key frame; a later partition of it.
  expect(startsKeyFrame(Buffer.from([0x00, keyHead]))).toBe(false);
  expect(startsKeyFrame(Buffer.from([0x11, keyHead]))).toBe(false);
  // A picture id of one byte and of two, with the layer bytes.
  expect(startsKeyFrame(Buffer.from([0x90, 0x80, 0x05, keyHead]))).toBe(true);
  expect(startsKeyFrame(Buffer.from([0x90, 0xf0, 0x85, 0x01, 0x00, 0x00, keyHead]))).toBe(true);
  expect(startsKeyFrame(Buffer.from([0x90, 0xf0, 0x85, 0x01, 0x00, 0x00, deltaHead]))).toBe(false);
  expect(startsKeyFrame(Buffer.from([]))).toBe(false);
});
