import { mosOf } from '../analysis/measure/mos.js';
import { sum } from '../analysis/statistics/statistics.js';
import type { Aggregates } from '../model/aggregate.js';
import type { Baseline } from '../model/trial.js';

/** A stream over ways that lose packets by themselves, in bursts of a mean length. */
export interface LossyStream {
  readonly kind: 'audio' | 'video';
  readonly direction: 'send' | 'receive';
  readonly seconds: number;
  /** Of each way, percent; a server that loses as well is one more. */
  readonly ways: readonly number[];
  readonly burst: number;
}

const packetsPerSecond = { audio: 50, video: 57 } as const;
const roundTripMs = 80;
const askingEveryMs = 20;
const freezeBeyondMs = 150;

/**
 * What is measured of it: sound with nothing repaired; of video packets are lost, and the picture waits for each until
 * it is repaired.
 */
export function measureLossy({ kind, direction, seconds, ways, burst }: LossyStream, random: () => number): Aggregates {
  const packets = packetsPerSecond[kind] * seconds;
  const lost = new Uint8Array(packets);
  for (const percent of ways) loseIn(lost, percent / 100, burst, random);
  const lossPercent = (100 * lost.reduce((count, one) => count + one, 0)) / packets;
  const kbps = kind === 'audio' ? 40 : 500;
  const common = {
    lossPercent,
    bitrateKbps: direction === 'send' ? kbps : kbps * (1 - lossPercent / 100),
    jitterMs: 5,
    legRttMs: roundTripMs,
  };
  if (kind === 'audio') {
    const heard = { ...common, concealedPercent: lossPercent, jitterBufferMs: 50 };
    const mos = mosOf(heard, roundTripMs);
    return mos === undefined ? heard : { ...heard, mos };
  }
  // What goes out waits for nothing to be repaired.
  const frozen = direction === 'send' ? 0 : frozenShare(lost, ways, random);
  return {
    ...common,
    worstLossPercent5s: worstOf5s(lost),
    frozenPercent: 100 * frozen,
    fps: 30 * (1 - frozen),
  };
}

export function aloneOf({ bitrateKbps = 0, ...values }: Aggregates): Baseline['streams'][string] {
  return { bitrateKbps, ...values };
}

/** From burst to burst, so that long windows cost little. */
function loseIn(lost: Uint8Array, share: number, burst: number, random: () => number): void {
  const leave = 1 / burst;
  const enter = (share * leave) / (1 - share);
  const geometric = (chance: number) =>
    1 + Math.floor(Math.log(1 - random()) / Math.log1p(-Math.min(chance, 1 - 1e-12)));
  let at = random() < share ? 0 : geometric(enter);
  while (at < lost.length) {
    const end = at + geometric(leave);
    lost.fill(1, at, end);
    at = end + geometric(enter);
  }
}

function worstOf5s(lost: Uint8Array): number {
  const seconds = Array.from({ length: lost.length / packetsPerSecond.video }, (_, second) =>
    lost
      .subarray(second * packetsPerSecond.video, (second + 1) * packetsPerSecond.video)
      .reduce((count, one) => count + one, 0),
  );
  const spans = seconds.slice(4).map((_, first) => sum(seconds.slice(first, first + 5)));
  return (100 * Math.max(...spans)) / (5 * packetsPerSecond.video);
}

/** Each try takes a round trip and up to the time between two askings, and may be lost there and back. */
function frozenShare(lost: Uint8Array, ways: readonly number[], random: () => number): number {
  const [way = 0] = ways;
  const again = 1 - (1 - way / 100) ** 2;
  const packetMs = 1000 / packetsPerSecond.video;
  let frozenMs = 0;
  let frozenUntilMs = 0;
  lost.forEach((one, index) => {
    if (one === 0) return;
    let waitedMs = 0;
    do waitedMs += roundTripMs + askingEveryMs * random();
    while (random() < again);
    if (waitedMs < freezeBeyondMs) return;
    const fromMs = Math.max(index * packetMs, frozenUntilMs);
    frozenUntilMs = Math.max(frozenUntilMs, index * packetMs + waitedMs);
    frozenMs += Math.max(0, frozenUntilMs - fromMs);
  });
  return Math.min(1, frozenMs / (lost.length * packetMs));
}
