/** One server of a cluster taken away while sessions are on it, and what became of them. */
export interface DrillRecord {
  readonly server: string;
  /** When it was gone. */
  readonly lostAtMs: number;
  /** Those that were on it. */
  readonly sessions: readonly string[];
  /** Their participants; empty where the trial ended before they could come back. */
  readonly returned: readonly Returned[];
  /** What those on the other servers saw, over the whole window; absent where that was not judged. */
  readonly others?: {
    readonly probes: number;
    readonly verdict: 'stable' | 'unstable' | 'void';
    /** The worst first. */
    readonly reasons: readonly string[];
  };
}

/** A participant of the server that was taken away. It comes back as a new probe, in a new session. */
export interface Returned {
  readonly participant: string;
  /** From when the server was gone to when the probe knew it; absent: it never did. */
  readonly noticedMs?: number;
  /** From the beginning of its new join to its first frame; absent: it did not come back. */
  readonly backMs?: number;
  /** Where its new session is; absent: on none. */
  readonly server?: string;
  /** Why it did not come back; a sentence part. */
  readonly failure?: string;
}
