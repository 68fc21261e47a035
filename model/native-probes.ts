import type { Participant } from './scenario.js';

/** Browser probes among native ones: so many, or a share of those who receive and could be native; at least four in either case. */
export type Sentinels = number | `${number}%`;

const sentinelsLeast = 4;
/** A process has some 60 MB of its own: so many probes share one before a further core gets another. */
export const probesPerProcess = 100;

/** What a native probe can play: who receives no more than one stream of a kind on a connection. */
export function canBeNative({ legs }: Participant): boolean {
  return legs.every(({ from }) => !Array.isArray(from));
}

/** Who receives notices something: of them some are browsers. Who only sends has nothing to notice. */
export function canJudge(participant: Participant): boolean {
  return canBeNative(participant) && participant.legs.some(({ receives }) => receives.length > 0);
}

/** How many of so many who receive and could be native are browsers. */
export function sentinelsOf(able: number, sentinels: Sentinels): number {
  const asked = typeof sentinels === 'number' ? sentinels : Math.ceil((able * Number.parseFloat(sentinels)) / 100);
  return Math.min(able, Math.max(sentinelsLeast, asked));
}

/**
 * The participants without a browser: those who can, but for the sentinels, which are spread evenly over who receives of them, the first among
 * them.
 */
export function nativeOf(participants: readonly Participant[], sentinels: Sentinels): ReadonlySet<string> {
  const judging = participants.filter(canJudge);
  const wanted = sentinelsOf(judging.length, sentinels);
  const passed = (count: number): number => Math.ceil((count * wanted) / Math.max(1, judging.length));
  const watching = judging.filter((_, index) => passed(index + 1) === passed(index));
  const others = participants.filter((one) => canBeNative(one) && !canJudge(one));
  return new Set([...watching, ...others].map(({ id }) => id));
}
