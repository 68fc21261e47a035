import { expect, test } from '@playwright/test';
import { judge } from '../analysis/judge/judge.js';
import { SoundBuffer } from '../probes/native/sound-buffer.js';
import { aProbe } from './builders/probe-builder.js';
import type { ReceivedAudio } from './builders/streams.js';
import { aTrial, calls, withProbes } from './builders/trial-builder.js';

const heldFromMs = 15_000;
const cycleMs = 30_000;
const perPacketMs = 20;

/**
 * When the packet of this time comes: a server that holds all sound for so long in each half minute, and then sends it
 * at once.
 */
const comesAt = (ms: number, heldMs: number) => {
  const inCycle = ms % cycleMs;
  const isHeld = inCycle >= heldFromMs && inCycle < heldFromMs + heldMs;
  return isHeld ? ms - inCycle + heldFromMs + heldMs : ms;
};

/** What getStats of a receiver, or what stands for it, says second by second. */
interface Second {
  readonly packets: number;
  readonly concealedMs: number;
  readonly events: number;
  readonly bufferMs: number;
}

/** A native probe: its model of a player is given the packets as they come. */
function nativeSeconds(heldMs: number): readonly Second[] {
  const [sound, seconds] = [new SoundBuffer(48_000), [] as Second[]];
  let [packets, read] = [0, 1000];
  let before = { concealedMs: 0, events: 0, waited: 0, emittedMs: 0 };
  const counts = () => {
    const { concealedMs, concealmentEvents: events, waited, emittedMs } = sound;
    return { concealedMs, events, waited, emittedMs };
  };
  for (let ms = 0; ms < 60_000; ms += perPacketMs) {
    const atMs = comesAt(ms, heldMs);
    for (; read <= atMs; read += 1000) {
      sound.until(read - 100);
      const now = counts();
      const emittedMs = now.emittedMs - before.emittedMs;
      seconds.push({
        packets,
        concealedMs: now.concealedMs - before.concealedMs,
        events: now.events - before.events,
        bufferMs: emittedMs > 0 ? (now.waited - before.waited) / emittedMs : 0,
      });
      [packets, before] = [0, now];
    }
    sound.take(ms / perPacketMs, 48 * ms, 80, atMs);
    packets += 1;
  }
  return seconds;
}

/** A browser: it makes up what has not come, and then plays what waits a twentieth faster, or has thrown it away. */
function browserSeconds(heldMs: number, throwsAway: boolean): readonly Second[] {
  let bufferMs = 40;
  return Array.from({ length: 60 }, (_, second) => {
    const inCycle = (1000 * second) % cycleMs;
    const isHeld = inCycle >= heldFromMs && inCycle < heldFromMs + heldMs;
    const isFlushed = inCycle === heldFromMs + heldMs;
    bufferMs = isFlushed && !throwsAway ? heldMs : Math.max(40, bufferMs - 44);
    const events = inCycle === heldFromMs && heldMs > 0 ? 1 : 0;
    return {
      packets: isHeld ? 0 : isFlushed ? 50 + heldMs / 20 : 50,
      concealedMs: isHeld ? 1000 : 0,
      events,
      bufferMs,
    };
  });
}

function judged(seconds: readonly Second[], native: boolean) {
  const at = (pick: (one: Second) => number) => (second: number) => {
    const one = seconds[second];
    return one ? pick(one) : null;
  };
  const audio: ReceivedAudio = {
    kbps: at(({ packets }) => (40 * packets) / 50),
    concealedPercent: at(({ concealedMs }) => Math.min(100, concealedMs / 10)),
    concealmentEvents: at(({ events }) => events),
    jitterBufferMs: at(({ bufferMs }) => bufferMs),
    jitterMs: 1,
  };
  const trial = aTrial(withProbes(calls(2), aProbe('1a').receivesAudio(audio)), { seconds: seconds.length });
  const probes = trial.probes.map((one) => (one.participant.id === '1a' && native ? { ...one, native } : one));
  return judge({ ...trial, probes });
}

for (const [receiver, native, secondsOf] of [
  ['a native probe', true, nativeSeconds],
  ['a browser that plays it late', false, (heldMs: number) => browserSeconds(heldMs, false)],
  ['a browser that throws it away', false, (heldMs: number) => browserSeconds(heldMs, true)],
] as const) {
  test(`sound that is held for 3 s and sent at once in each half minute is not stable to ${receiver}, though nothing is lost`, () => {
    const { kind, reasons } = judged(secondsOf(3000), native);
    expect(kind).toBe('unstable');
    expect(reasons.map(({ code }) => code)).toEqual(expect.arrayContaining(['sound-gap', 'audio-quality']));
    expect(reasons.map(({ code }) => code)).not.toContain('audio-loss');
    expect(judged(secondsOf(0), native).kind).toBe('stable');
  });
}
