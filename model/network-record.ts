import { z } from 'zod';
import type { Link } from './network.js';
import type { ProbeHostId } from './probe-host.js';

/** One direction of a link as packets of known number and time of sending found it. */
export const linkMeasureSchema = z.object({
  sent: z.number(),
  received: z.number(),
  /** One way, median, milliseconds; absent when nothing arrived. Both ends read one clock. */
  delayMs: z.number().exactOptional(),
  /** Width of the middle half of all delays: the jitter set if uniform, 1.35 times it if normal. */
  jitterMs: z.number().exactOptional(),
  lossPercent: z.number(),
  duplicatePercent: z.number(),
  /** Packets that came after one that was sent later. */
  reorderPercent: z.number(),
  /**
   * What came through on one of two connections when on both more was sent than was set, link headers included; absent
   * where no rate was set. Above 20 Mbit/s on one connection alone.
   */
  rateBps: z.number().exactOptional(),
});
export type LinkMeasure = z.infer<typeof linkMeasureSchema>;

/** A network before a trial: what was set beside what was measured, from inside it to the media server's side. */
export interface NetworkCheck {
  /** Where it was measured; absent: on the one host. */
  readonly host?: ProbeHostId;
  readonly network: string;
  readonly set: { readonly up: Link; readonly down: Link };
  readonly measured: { readonly up: LinkMeasure; readonly down: LinkMeasure };
  /** Sum of both ways. */
  readonly roundTripMs?: number;
  /** What is further from its setting than chance allows; a sentence each. Then there is no trial. */
  readonly problems: readonly string[];
}

export const networkMeans = ['netem', 'user-mode-linux', 'none'] as const;
type NetworkMeans = (typeof networkMeans)[number];

/** What shapes the links of a run. */
export interface NetworkFacts {
  readonly means: NetworkMeans;
  /** "kernel 6.1.0 has netem". */
  readonly why: string;
}

/** The networks of one trial, as stored. */
export interface NetworkRecord {
  readonly checks: readonly NetworkCheck[];
  /** Packets that what shapes the links had no time for; absent where one place does not tell, and until the end. */
  readonly overflow?: number;
}

/** What several places lost together; unknown where one of them does not tell. */
export function lostTogether(counts: readonly (number | undefined)[]): number | undefined {
  return counts.reduce<number | undefined>(
    (sum, count) => (sum === undefined || count === undefined ? undefined : sum + count),
    0,
  );
}
