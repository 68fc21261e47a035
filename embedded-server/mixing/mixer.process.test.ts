import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { type RtpPacket, readRtp } from '../../rtp/rtp.js';
import { both, times } from '../../tests/effort.js';
import { isInstalled } from '../../tests/installed.js';
import { soon } from '../../tests/soon.js';
import { fromEar, type GstEar, type GstMouth, GstProcess, rtpSocket, toMouth } from './gst-process.js';
import { compositeFormat, gridTiles, mixerArguments } from './mixer-pipeline.js';
import { Mixer } from './mixer-process.js';

const gstreamer = isInstalled(['gst-launch-1.0']);

test('four members share a 2×2 picture, five a 3×2 one', () => {
  expect(gridTiles(4, 800, 600)).toEqual([
    { x: 0, y: 0, width: 400, height: 300 },
    { x: 400, y: 0, width: 400, height: 300 },
    { x: 0, y: 300, width: 400, height: 300 },
    { x: 400, y: 300, width: 400, height: 300 },
  ]);
  expect(gridTiles(5, 800, 600).map((tile) => [tile.x, tile.y])).toEqual([
    [0, 0],
    [266, 0],
    [532, 0],
    [0, 300],
    [266, 300],
  ]);
});

test('nobody hears their own voice: sound i mixes every voice but i', () => {
  const members = [1, 2, 3].map((port) => ({
    videoIn: { descriptor: port, port },
    audioIn: { descriptor: port + 10, port },
    audioOut: { descriptor: port + 20 },
  }));
  const line = mixerArguments({
    members,
    videoOut: { descriptor: 40 },
    rtcpIn: { descriptor: 41, port: 41 },
    videoSsrc: 7,
  }).join(' ');
  const links = [...line.matchAll(/voice(\d)\. ! \S+ \S+ \S+ ! sound(\d)\./g)].map(
    (match) => `${match[1]}>${match[2]}`,
  );
  expect(links.sort()).toEqual(['0>1', '0>2', '1>0', '1>2', '2>0', '2>1']);
});

test('of a room of sound alone no picture is decoded, made or encoded, and the voices are mixed as ever', () => {
  const members = [1, 2].map((port) => ({
    videoIn: { descriptor: port, port },
    audioIn: { descriptor: port + 10, port },
    audioOut: { descriptor: port + 20 },
  }));
  const ports = { members, videoOut: { descriptor: 40 }, rtcpIn: { descriptor: 41, port: 41 }, videoSsrc: 7 };
  const line = mixerArguments(ports, { ...compositeFormat, soundOnly: true }).join(' ');
  expect(line).not.toMatch(/video|vp8|compositor|rtcp|fd=(1|2|40|41)\b/);
  for (const part of ['fd=11 ', 'fd=12 ', 'voice0. ', 'voice1. ', 'fd=21 ', 'fd=22 ']) expect(line).toContain(part);
});

test('a mixer with one sending member gives the set frame rate, everyone a sound, and a key frame when asked', async () => {
  test.skip(
    !gstreamer,
    'gst-launch-1.0 is not installed (apt-get install gstreamer1.0-tools gstreamer1.0-plugins-good)',
  );
  const seconds = 2;
  const videoTimes: number[] = [];
  const keyTimes: number[] = [];
  const audio = [0, 0];
  const mixer = await Mixer.start(2, {
    onVideo: (packet) => {
      if (packet.marker) videoTimes.push(Date.now());
      if (isVp8KeyFrameStart(packet.payload)) keyTimes.push(Date.now());
    },
    onAudio: (index) => {
      audio[index] = (audio[index] ?? 0) + 1;
    },
    onPlaying: () => {},
    onExit: (detail) => {
      throw new Error(detail);
    },
  });
  const feed = await feedTestPicture((packet) => mixer.sendVideo(0, packet));
  await sleep(1000);
  videoTimes.length = 0;
  const asked = Date.now();
  mixer.requestKeyFrame();
  await sleep(seconds * 1000);
  await feed();
  await mixer.close();
  await mixer.close();
  expect(videoTimes.length / seconds).toBeGreaterThan(compositeFormat.framesPerSecond * 0.8);
  expect(videoTimes.length / seconds).toBeLessThan(compositeFormat.framesPerSecond * 1.2);
  expect(audio[0]).toBeGreaterThan(seconds * 40);
  expect(audio[1]).toBeGreaterThan(seconds * 40);
  expect(keyTimes.some((at) => at > asked)).toBe(true);
});

test('every mixer gives a picture, however many are started', both, async () => {
  test.skip(!gstreamer, 'gst-launch-1.0 is not installed');
  const sources = new Set<Mixer>();
  const feed = await feedTestPicture((packet) => {
    for (const mixer of sources) for (const member of [0, 1]) mixer.sendVideo(member, packet);
  });
  const givesPicture = async (): Promise<boolean> => {
    let packets = 0;
    const onVideo = () => {
      packets += 1;
    };
    const listener = { onVideo, onAudio: () => {}, onPlaying: () => {}, onExit: () => {} };
    const mixer = await Mixer.start(2, listener);
    sources.add(mixer);
    for (let waited = 0; packets === 0 && waited < 4000; waited += 50) await sleep(50);
    sources.delete(mixer);
    await mixer.close();
    return packets > 0;
  };
  const without: number[] = [];
  for (let index = 0; index < times(2, 24); index += 2) {
    const pair = await Promise.all([givesPicture(), givesPicture()]);
    if (pair.includes(false)) without.push(index);
  }
  await feed();
  expect(without).toEqual([]);
});

test('a mixer whose process is killed says so once', async () => {
  test.skip(!gstreamer, 'gst-launch-1.0 is not installed');
  const exits: string[] = [];
  const mixer = await Mixer.start(1, {
    onVideo: () => {},
    onAudio: () => {},
    onPlaying: () => {},
    onExit: (detail) => exits.push(detail),
  });
  process.kill(mixer.pid ?? 0, 'SIGKILL');
  await soon(() => exits).toEqual(['gst-launch-1.0 ended with SIGKILL: ']);
  await mixer.close();
  expect(exits).toHaveLength(1);
});

/** RFC 7741 4.2: the payload descriptor, then the P bit of the first byte of a frame is 0 in key frames. */
function isVp8KeyFrameStart(payload: Buffer): boolean {
  const first = payload[0] ?? 0;
  if ((first & 0x10) === 0) return false;
  let at = 1;
  if ((first & 0x80) !== 0) {
    const extensions = payload[at] ?? 0;
    at += 1;
    if ((extensions & 0x80) !== 0) at += ((payload[at] ?? 0) & 0x80) !== 0 ? 2 : 1;
    if ((extensions & 0x40) !== 0) at += 1;
    if ((extensions & 0x30) !== 0) at += 1;
  }
  return ((payload[at] ?? 1) & 1) === 0;
}

/** A moving test picture as VP8 RTP; resolves to what stops it. */
async function feedTestPicture(onPacket: (packet: RtpPacket) => void): Promise<() => Promise<void>> {
  const socket = createSocket('udp4');
  socket.on('message', (datagram) => {
    const packet = readRtp(datagram);
    if (packet !== undefined) onPacket(packet);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const pipeline = `-q videotestsrc is-live=true pattern=ball ! video/x-raw,width=640,height=360,framerate=30/1 ! vp8enc deadline=1 cpu-used=8 keyframe-max-dist=30 ! rtpvp8pay pt=100 mtu=1200 ! udpsink host=127.0.0.1 port=${socket.address().port}`;
  const child = spawn('gst-launch-1.0', pipeline.split(' '), { stdio: 'ignore' });
  return async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
    socket.close();
  };
}

const rtp = (ssrc: number): Buffer =>
  Buffer.concat([Buffer.from('8060000100000001', 'hex'), Buffer.from([0, 0, 0, ssrc]), Buffer.alloc(9)]);

test('what somebody else sends to where a mixer hears or speaks is not heard', async () => {
  test.skip(!gstreamer, 'gst-launch-1.0 is not installed');
  const heard: number[] = [];
  const [out, stranger] = [await rtpSocket(({ ssrc }) => void heard.push(ssrc)), await boundSocket()];
  let port = 0;
  const echo = ([ear]: readonly GstEar[], [mouth]: readonly GstMouth[]): readonly string[] => {
    if (!ear || !mouth) return [];
    port = ear.port;
    return ['-q', ...`${fromEar(ear, 'application/x-rtp')} ! ${toMouth(mouth)}`.split(' ')];
  };
  const gst = await GstProcess.start([out], 1, echo, () => undefined);
  stranger.on('error', () => undefined);
  const beat = setInterval(() => {
    for (const at of [port, out.address().port]) stranger.send(rtp(1), at, '127.0.0.1');
    gst.send(rtp(2), port);
  }, 20);
  await soon(() => heard.length, { timeout: 8000 }).toBeGreaterThan(10);
  clearInterval(beat);
  expect(new Set(heard)).toEqual(new Set([2]));
  await gst.close();
  stranger.close();
});

async function boundSocket() {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket;
}
