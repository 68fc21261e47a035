import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { Egress } from '../../rtp/egress.js';
import type { RtpPacket } from '../../rtp/rtp.js';
import { HandClock } from '../../tests/embedded/hand-clock.js';
import type { MediaOutput } from '../media/ports.js';
import type { MixerListener } from './mixer-process.js';
import type { StartMixer } from './mixing.js';
import { Room, type Seat } from './room.js';

const packet = (ssrc: number, sequenceNumber: number, isKeyFrame: boolean): RtpPacket => ({
  payloadType: 96,
  marker: true,
  padding: false,
  sequenceNumber,
  timestamp: sequenceNumber * 3000,
  ssrc,
  payload: Buffer.from([0x10, isKeyFrame ? 0 : 1]),
});

/** A mixer's process that does nothing but count. */
class FakeMixer {
  fed = 0;
  keyFrameRequests = 0;
  closed = false;
  constructor(
    readonly members: number,
    readonly listener: MixerListener,
    readonly soundOnly: boolean,
  ) {}
  sendVideo(): void {
    this.fed += 1;
  }
  sendAudio(): void {}
  requestKeyFrame(): void {
    this.keyFrameRequests += 1;
  }
  async close(): Promise<void> {
    this.closed = true;
  }
}

interface Member {
  readonly seat: Seat;
  readonly seen: RtpPacket[];
  asked: number;
  send(sequenceNumber: number, isKeyFrame: boolean): void;
}

function rig() {
  const clock = new HandClock();
  const mixers: FakeMixer[] = [];
  const dead: string[] = [];
  const startMixer: StartMixer = async (members, listener, { soundOnly = false }) => {
    const mixer = new FakeMixer(members, listener, soundOnly);
    mixers.push(mixer);
    return mixer;
  };
  const room = new Room(
    { clock, keyFrameTurns: new Egress(clock).keyFrameTurns },
    (detail) => dead.push(detail),
    undefined,
    startMixer,
  );
  const forward = async (ms: number): Promise<void> => {
    clock.forward(ms);
    await turn();
  };
  const enter = (ssrc: number): Member => {
    const seat = room.enter();
    const seen: RtpPacket[] = [];
    const requestKeyFrame = (): void => {
      member.asked += 1;
    };
    const from = { kind: 'video', requestKeyFrame } as unknown as MediaOutput;
    const member: Member = {
      seat,
      seen,
      asked: 0,
      send: (number, isKeyFrame) =>
        seat.inputs.video.receive(packet(ssrc, number, isKeyFrame), 'vp8/90000', from, clock.nowMs()),
    };
    seat.outputs.video.attach({ kind: 'video', maxKbps: 0, receive: (received) => seen.push(received) });
    return member;
  };
  /** The mixer starts to play, and gives its first picture. */
  const play = (index: number): void => {
    mixers[index]?.listener.onVideo(packet(100 + index, 1, true));
    mixers[index]?.listener.onPlaying();
  };
  /** Somebody who listens and does not watch; what comes is noted by its SSRC and number. */
  const listen = () => {
    const seat = room.enter();
    const heard: string[] = [];
    const note = ({ ssrc, sequenceNumber }: RtpPacket) => heard.push(`${ssrc}:${sequenceNumber}`);
    seat.outputs.audio.attach({ kind: 'audio', maxKbps: 0, receive: note });
    return { seat, heard };
  };
  /** The mixer gives every member a packet of sound. */
  const sound = (index: number, sequenceNumber: number): void => {
    const { listener, members = 0 } = mixers[index] ?? {};
    for (let member = 0; member < members; member += 1)
      listener?.onAudio(member, packet(100 + index, sequenceNumber, false));
    if (sequenceNumber === 1) listener?.onPlaying();
  };
  return { clock, mixers, dead, room, forward, enter, play, listen, sound };
}

test('who is in a room sees it without a pause while another joins, and goes over to the new mix with a key frame once it shows everybody', async () => {
  const { mixers, room, forward, enter, play } = rig();
  const ann = enter(1);
  const cem = enter(3);
  await forward(200);
  play(0);
  ann.send(1, true);
  cem.send(1, true);
  const bob = enter(2);
  await forward(200);
  expect(mixers.map(({ members }) => members)).toEqual([2, 3]);
  bob.send(1, true);
  play(1);
  mixers[0]?.listener.onVideo(packet(100, 2, false));
  expect(ann.seen.map(({ ssrc, sequenceNumber }) => [ssrc, sequenceNumber])).toEqual([
    [100, 1],
    [100, 2],
  ]);
  expect([ann.asked, bob.asked], 'each is asked for a key frame when the new mix listens').toEqual([1, 1]);
  ann.send(2, true);
  cem.send(2, true);
  await forward(1000);
  mixers[1]?.listener.onVideo(packet(101, 2, true));
  expect(ann.seen.at(-1)?.ssrc, 'the picture of one is still missing').toBe(100);
  bob.send(2, true);
  await forward(350);
  expect(mixers[1]?.keyFrameRequests).toBe(1);
  mixers[1]?.listener.onVideo(packet(101, 3, false));
  mixers[0]?.listener.onVideo(packet(100, 3, false));
  expect(ann.seen.at(-1)).toMatchObject({ ssrc: 100, sequenceNumber: 3 });
  mixers[1]?.listener.onVideo(packet(101, 4, true));
  await turn();
  expect([ann, bob].map(({ seen }) => seen.at(-1)?.sequenceNumber)).toEqual([4, 4]);
  expect(mixers.map(({ closed }) => closed)).toEqual([true, false]);
  await room.close();
  expect(mixers.every(({ closed }) => closed)).toBe(true);
});

test('a member who is alone is not mixed twice when another comes, and goes over to the first picture of both', async () => {
  const { mixers, room, forward, enter, play } = rig();
  const ann = enter(1);
  await forward(200);
  play(0);
  ann.send(1, true);
  enter(2);
  await forward(200);
  expect(mixers.map(({ members, closed }) => [members, closed])).toEqual([
    [1, true],
    [2, false],
  ]);
  mixers[1]?.listener.onVideo(packet(101, 1, false));
  expect(ann.seen.at(-1)?.ssrc).toBe(101);
  expect(mixers[1]?.keyFrameRequests).toBe(1);
  await room.close();
});

test('a member whose key frame does not come holds up a new mix for two seconds at most', async () => {
  const { mixers, forward, enter, play, room } = rig();
  const ann = enter(1);
  enter(3);
  await forward(200);
  play(0);
  ann.send(1, true);
  enter(2);
  await forward(200);
  play(1);
  await forward(2000);
  mixers[1]?.listener.onVideo(packet(101, 2, true));
  expect(ann.seen.at(-1)?.ssrc).toBe(101);
  await room.close();
});

test('when the last member has left nothing is mixed any more, and a mixer that dies ends its room once', async () => {
  const { mixers, dead, forward, enter, play, room } = rig();
  const ann = enter(1);
  await forward(200);
  play(0);
  ann.seat.leave();
  await forward(200);
  expect(mixers.map(({ closed }) => closed)).toEqual([true]);
  enter(2);
  await forward(200);
  for (const detail of ['killed', 'again']) mixers[1]?.listener.onExit(detail);
  expect(dead).toEqual(['killed']);
  await room.close();
});

test('a mixer that gives nothing in twenty seconds is ended, and ends its room', async () => {
  const { mixers, dead, forward, enter } = rig();
  enter(1);
  enter(2);
  await forward(200);
  await forward(19_900);
  expect([dead, mixers[0]?.closed]).toEqual([[], false]);
  await forward(200);
  expect([dead.length, mixers[0]?.closed]).toEqual([1, true]);
});

test('a packet that the buffer of the mixer has given up makes its sender send a key frame', async () => {
  const { clock, forward, enter, play, room } = rig();
  const ann = enter(1);
  await forward(200);
  play(0);
  for (let number = 1; number < 40; number += 1) {
    if (number !== 20) ann.send(number, number === 1);
    clock.forward(33);
  }
  expect(ann.asked).toBe(1);
  await room.close();
});

const madePictures = (mixers: readonly FakeMixer[]) => mixers.map(({ soundOnly }) => !soundOnly);

test('where nobody watches, sound alone is mixed; who is there hears without a pause while another joins', async () => {
  const { mixers, room, forward, listen, sound } = rig();
  const [ann] = [listen(), listen()];
  await forward(200);
  sound(0, 1);
  listen();
  await forward(200);
  sound(1, 1);
  sound(0, 2);
  await forward(349);
  sound(1, 2);
  sound(0, 3);
  expect(ann?.heard, 'the new mixer has not yet heard everybody').toEqual(['100:1', '100:2', '100:3']);
  await forward(1);
  sound(1, 3);
  sound(0, 4);
  await forward(0);
  expect(ann?.heard.slice(3)).toEqual(['101:3']);
  expect(madePictures(mixers)).toEqual([false, false]);
  expect(mixers.map(({ members, closed }) => [members, closed])).toEqual([
    [2, true],
    [3, false],
  ]);
  expect(mixers.map(({ keyFrameRequests }) => keyFrameRequests)).toEqual([0, 0]);
  await room.close();
});

test('who begins to watch a room of sound gets a picture, and it is no longer made when they stop', async () => {
  const { mixers, room, forward, listen, sound, play } = rig();
  const [ann] = [listen(), listen()];
  await forward(200);
  sound(0, 1);
  const watching = { kind: 'video', maxKbps: 0, receive: () => {} } as const;
  ann?.seat.outputs.video.attach(watching);
  await forward(200);
  play(1);
  await forward(0);
  mixers[1]?.listener.onVideo(packet(101, 2, true));
  await forward(0);
  expect(madePictures(mixers)).toEqual([false, true]);
  expect(mixers[0]?.closed).toBe(true);
  ann?.seat.outputs.video.detach(watching);
  await forward(200);
  sound(2, 1);
  await forward(350);
  sound(2, 2);
  await forward(0);
  expect(madePictures(mixers)).toEqual([false, true, false]);
  expect(mixers.map(({ closed }) => closed)).toEqual([true, true, false]);
  await room.close();
});

test('who only passes the state of listening alone, on the way in or out, starts no mixer for it', async () => {
  const { mixers, room, forward, listen, sound, play } = rig();
  const ann = listen();
  await forward(100);
  const watching = { kind: 'video', maxKbps: 0, receive: () => {} } as const;
  ann.seat.outputs.video.attach(watching);
  await forward(200);
  play(0);
  sound(0, 1);
  ann.seat.outputs.video.detach(watching);
  await forward(100);
  ann.seat.outputs.video.attach(watching);
  await forward(400);
  expect(madePictures(mixers)).toEqual([true]);
  await room.close();
});
