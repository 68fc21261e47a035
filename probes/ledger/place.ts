import type { ProbeHostId } from '../../model/probe-host.js';

/** Where a participant's probe runs: indexes within its host. */
export interface ProbePlace {
  /** Absent: the one host. */
  readonly host?: ProbeHostId;
  readonly browser: number;
  readonly page: number;
  /** Present when the probe's media is encoded before. */
  readonly encoded?: true;
  /** Present when no browser plays it: browser and page are then numbers of its process. */
  readonly native?: true;
}
