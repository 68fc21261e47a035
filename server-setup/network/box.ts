/** What a packet passes between the probes' namespace and the host: the place where netem is. */
export interface Box {
  /** The interfaces of a group's link inside the box. */
  devices(group: number): BoxDevices;
  /** Runs lines of `tc -batch` inside the box. Rejects with E_NETWORK_LINK and what tc said. */
  tc(lines: readonly string[]): Promise<void>;
  /** Packets that were lost on their way into the box, since it was opened; `undefined` where that cannot be read. */
  overflow(): Promise<number | undefined>;
  /** Cores of CPU seconds used so far; absent where the host's own kernel does the work. */
  readonly pid?: number;
  /** Resolves with how it ended, when it did so by itself; absent where there is nothing that could. */
  readonly lost?: Promise<string>;
  /** Idempotent, never rejects. */
  close(): Promise<void>;
}

export interface BoxDevices {
  readonly towardsProbes: string;
  readonly towardsServer: string;
}

export interface BoxOptions {
  readonly pid: number;
  /** Numbers of the groups whose links pass the box. */
  readonly groups: readonly number[];
  /** Absolute path of a folder of this run, which others cannot write. */
  readonly folder: string;
  readonly signal: AbortSignal;
}
