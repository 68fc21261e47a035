import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { type Arrival, type SentStream, type StreamOptions, vp8Stream } from '../../tests/embedded/vp8-stream.js';
import { randomFrom } from '../../tests/random.js';
import { FanOut } from '../media/fan-out.js';
import type { MediaInput, MediaOutput } from '../media/ports.js';
import type { PlacedFrame } from './interleaver.js';
import { arrivalDeadlineMs, RecordedTrack, type TimedFrame } from './recorded-track.js';
import { Recording } from './recording.js';

interface Link {
  readonly loss: number;
  readonly jitterMs: number;
  readonly duplicates: number;
  /** What is lost comes again after so long at most, in time or not; one in ten does not come at all. */
  readonly repairMostMs: number;
}

/** What arrives of a stream, and when. */
function over({ sent }: SentStream, link: Link, random: () => number): readonly Arrival[] {
  const arrivals: Arrival[] = [];
  for (const [index, one] of sent.entries()) {
    // The first frame comes whole: what a recording does at its beginning is another test's matter.
    const lost = index >= 8 && random() < link.loss;
    const wayMs = 20 + random() * (index < 8 ? 0 : link.jitterMs);
    if (!lost) arrivals.push({ ...one, atMs: one.atMs + wayMs });
    else if (random() < 0.9) arrivals.push({ ...one, atMs: one.atMs + wayMs + random() * link.repairMostMs });
    if (random() < link.duplicates) arrivals.push({ ...one, atMs: one.atMs + wayMs + random() * 1500 });
  }
  return arrivals.sort((a, b) => a.atMs - b.atMs);
}

/** Places on the sender's line whose packets came before a second had passed since the first one behind them. */
function inTime(arrivals: readonly Arrival[], count: number): ReadonlySet<number> {
  const first = new Array<number>(count).fill(Number.POSITIVE_INFINITY);
  for (const { index, atMs } of arrivals) first[index] = Math.min(first[index] ?? 0, atMs);
  const came = new Set<number>();
  let behindMs = Number.POSITIVE_INFINITY;
  for (let index = count - 1; index >= 0; index -= 1) {
    const atMs = first[index] ?? Number.POSITIVE_INFINITY;
    if (Number.isFinite(atMs) && atMs < behindMs + arrivalDeadlineMs) came.add(index);
    behindMs = Math.min(behindMs, atMs);
  }
  return came;
}

/** What must be in the file: frames that came whole in time, and whose forerunners since a key frame did, too. */
function expected(stream: SentStream, arrivals: readonly Arrival[], pictureIds: boolean): readonly string[] {
  const came = inTime(arrivals, stream.sent.length);
  const kept: string[] = [];
  let decodable = false;
  let next = 0;
  for (const frame of stream.frames) {
    const whole = frame.packets.every((index) => came.has(index));
    const firstOfFrame = frame.packets[0] ?? 0;
    for (; next < firstOfFrame; next += 1) if (!came.has(next) && !pictureIds) decodable = false;
    next = (frame.packets.at(-1) ?? 0) + 1;
    decodable = whole && (decodable || frame.isKeyFrame);
    if (decodable) kept.push(frame.data.toString('hex'));
  }
  return kept;
}

function recorded(arrivals: readonly Arrival[]): readonly TimedFrame[] {
  const track = new RecordedTrack('video');
  const frames = arrivals.flatMap(({ packet, atMs }) => track.receive(packet, atMs));
  return [...frames, ...track.flush()];
}

const links: Readonly<Record<string, Link>> = {
  'a clean link': { loss: 0, jitterMs: 0, duplicates: 0, repairMostMs: 0 },
  'reordering and duplicates': { loss: 0, jitterMs: 90, duplicates: 0.2, repairMostMs: 0 },
  '3 % of loss, repaired in time': { loss: 0.03, jitterMs: 20, duplicates: 0.02, repairMostMs: 400 },
  '10 % of loss, repaired in time or too late': { loss: 0.1, jitterMs: 40, duplicates: 0.1, repairMostMs: 2500 },
};

for (const [name, link] of Object.entries(links)) {
  test(`over ${name} every frame that came whole in time is recorded, and none with a missing packet`, () => {
    for (let seed = 1; seed <= 12; seed += 1) {
      const random = randomFrom(seed);
      const pictureIds = seed % 4 !== 0;
      const options: StreamOptions = {
        frames: 400,
        firstNumber: 65_536 - Math.floor(random() * 1200),
        firstTimestamp: 2 ** 32 - Math.floor(random() * 1_000_000),
        keyFrameEach: 20 + (seed % 3) * 25,
        padding: 0.1,
        pictureIds,
        random,
      };
      const stream = vp8Stream(options);
      const arrivals = over(stream, link, random);
      const frames = recorded(arrivals);
      expect(
        frames.map(({ data }) => data.toString('hex')),
        `seed ${seed}`,
      ).toEqual(expected(stream, arrivals, pictureIds));
      const times = frames.map(({ timeMs }) => timeMs);
      expect(times).toEqual([...times].sort((a, b) => a - b));
    }
  });
}

test('a clean stream keeps every frame at its time, over the wrap of numbers and of timestamps', () => {
  const stream = vp8Stream({ frames: 300, firstNumber: 65_400, firstTimestamp: 2 ** 32 - 9000, random: randomFrom(3) });
  const frames = recorded(stream.sent);
  expect(frames).toHaveLength(300);
  expect(frames.at(-1)?.timeMs).toBeCloseTo(1000 + (299 * 3000) / 90, 6);
});

test('a recording whose first packets come in the wrong order has the first frame, too', () => {
  const { sent, frames } = vp8Stream({ frames: 60, piecesMost: 1, random: randomFrom(1) });
  const [first, second, ...others] = sent;
  if (first === undefined || second === undefined) throw new Error('no packets');
  expect(recorded([{ ...second, atMs: 1000 }, { ...first, atMs: 1300 }, ...others])).toHaveLength(frames.length);
});

test('a sender that begins anew, with another SSRC or numbers far away, loses no frame and goes on in time', () => {
  const random = randomFrom(5);
  const before = vp8Stream({ frames: 30, firstNumber: 100, random });
  for (const change of [{ ssrc: 2, firstNumber: 120 }, { firstNumber: 30_000 }]) {
    const after = vp8Stream({ frames: 30, firstTimestamp: 77, random, ...change });
    const later = after.sent.map((one) => ({ ...one, atMs: one.atMs + 2000 }));
    const frames = recorded([...before.sent, ...later]);
    // Where only the numbers tell, the first packet is a stray until the second has come.
    expect(frames.length).toBeGreaterThanOrEqual('ssrc' in change ? 60 : 30);
    expect(frames.slice(0, 30).every(({ timeMs }) => timeMs < 2000)).toBe(true);
    expect(frames.slice(30).every(({ timeMs }) => timeMs >= 2900)).toBe(true);
  }
});

function collecting() {
  const written: PlacedFrame[] = [];
  const asked: number[] = [];
  const failures: unknown[] = [];
  let nowMs = 0;
  const sink = { write: (frame: PlacedFrame) => void written.push(frame), close: async () => {} };
  const listener = { onKeyFrameNeeded: () => asked.push(nowMs), onFailed: (error: unknown) => failures.push(error) };
  const recording = new Recording(sink, listener);
  const play = async (arrivals: readonly Arrival[]): Promise<void> => {
    for (const { packet, atMs } of arrivals) {
      nowMs = atMs;
      recording.receive('video', packet, atMs);
      await turn();
    }
  };
  return { written, asked, failures, recording, play, sink };
}

test('a broken picture asks for a key frame at once and again each second until one comes; what is held is written at the end', async () => {
  const { written, asked, recording, play } = collecting();
  const { sent } = vp8Stream({ frames: 330, keyFrameEach: 150, piecesMost: 1, random: randomFrom(1) });
  await play(sent.filter(({ index }) => index !== 30));
  // Frame 30 is given up a second after frame 31 came, at 1000 + 31 · 33 + 1000 ms; the next key frame comes at 5950
  // ms.
  const afterSeconds = asked.map((atMs) => Math.round((atMs - 3023) / 1000));
  expect(afterSeconds).toEqual([0, 1, 2]);
  await recording.close();
  expect(written).toHaveLength(30 + 180);
  expect(recording.framesLeftOut).toBe(119);
});

test('sound and picture are written in the order of their times, though one waits for a packet', async () => {
  const { written, recording } = collecting();
  const { sent } = vp8Stream({ frames: 90, piecesMost: 1, random: randomFrom(1) });
  for (const { packet, atMs, index } of sent) {
    const sound = { ...packet, ssrc: 9, padding: false, timestamp: index * 1584, payload: Buffer.from([index]) };
    if (index !== 20) recording.receive('audio', sound, atMs);
    recording.receive('video', packet, atMs);
  }
  await recording.close();
  expect(written.filter(({ kind }) => kind === 'audio')).toHaveLength(89);
  expect(written.filter(({ kind }) => kind === 'video')).toHaveLength(90);
  const times = written.map(({ timeMs }) => timeMs);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

test('nothing of a recording happens before whoever brought the packet has returned, and its errors stay its own', async () => {
  const { failures, recording, play, sink } = collecting();
  sink.write = () => {
    throw new Error('disk full');
  };
  const { sent } = vp8Stream({ frames: 300, random: randomFrom(1) });
  for (const { packet, atMs } of sent) recording.receive('video', packet, atMs);
  expect(failures).toEqual([]);
  await turn();
  expect(String(failures)).toBe('Error: disk full');
  await play(sent);
  await recording.close();
  expect(failures).toHaveLength(1);
});

test('a recorder is served behind every viewer, whenever it came', () => {
  const served: string[] = [];
  const input = (name: string, unwatched?: true): MediaInput => ({
    kind: 'video',
    maxKbps: 0,
    ...(unwatched === undefined ? {} : { unwatched }),
    receive: () => served.push(name),
  });
  const fanOut = new FanOut();
  for (const one of [input('recorder', true), input('viewer 1'), input('viewer 2')]) fanOut.add(one);
  const [packet] = vp8Stream({ frames: 1, random: randomFrom(1) }).sent;
  if (packet !== undefined) fanOut.handOn(packet.packet, 'vp8/90000', {} as MediaOutput, 0);
  expect(served).toEqual(['viewer 1', 'viewer 2', 'recorder']);
});
