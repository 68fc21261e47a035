import type { Participant } from './scenario.js';

/** Browser probes among native ones: so many, or a share of those who could be native; at least four in either case. */
export type Sentinels = number | `${number}%`;

const sentinelsLeast = 4;
/** A process has some 60 MB of its own: so many probes share one before a further core gets another. */
export const probesPerProcess = 100;

/** What a native probe can play: who sends nothing, and receives one stream of a kind on a connection. */
export function canBeNative({ legs }: Participant): boolean {
  return legs.every(({ sends, from }) => sends.length === 0 && !Array.isArray(from));
}

/** How many of so many who could be native are browsers. */
export function sentinelsOf(able: number, sentinels: Sentinels): number {
  const asked = typeof sentinels === 'number' ? sentinels : Math.ceil((able * Number.parseFloat(sentinels)) / 100);
  return Math.min(able, Math.max(sentinelsLeast, asked));
}

/** The participants without a browser: those who can, but for the sentinels, which are spread evenly over them, the first among them. */
export function nativeOf(participants: readonly Participant[], sentinels: Sentinels): ReadonlySet<string> {
  const able = participants.filter(canBeNative);
  const wanted = sentinelsOf(able.length, sentinels);
  const passed = (count: number): number => Math.ceil((count * wanted) / Math.max(1, able.length));
  return new Set(able.filter((_, index) => passed(index + 1) === passed(index)).map(({ id }) => id));
}
