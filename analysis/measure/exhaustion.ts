/** In the order in which they are told. */
export const exhaustedThings = [
  'cpu',
  'cpu-quota',
  'thread',
  'memory',
  'up-link',
  'host-cpu',
  'host-memory',
  'host-link',
  'turn-cpu',
] as const;
type ExhaustedThing = (typeof exhaustedThings)[number];

/** What a media server, or the TURN server before it, had no more of, at the smallest size that failed for it. */
export interface ServerExhaustion {
  readonly what: ExhaustedThing;
  readonly size: number;
  /**
   * Cores, MB, Mbit/s, or percent of a link: the highest mean of an unstable trial of this size, and what the server
   * was given. Of a quota `used` is absent where its CPU was not read.
   */
  readonly used?: number;
  readonly limit: number;
  /** Cores of the server's host that a hypervisor took; they are part of `used`. */
  readonly stolen?: number;
  /** Share of the periods of a quota in which it was used up. */
  readonly throttledPercent?: number;
  /** Packets that the limit of the up-link dropped. */
  readonly dropped?: number;
  /** Of a thread: what it is called, and how much of the time it was ready to run and waited for a CPU. */
  readonly name?: string;
  readonly waitedPercent?: number;
  /** The smallest size that held although it was full there already; null: it never was. */
  readonly heldFull?: number | null;
}
