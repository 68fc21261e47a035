import { setTimeout as sleep } from 'node:timers/promises';
import { ControlGroups } from '../../host/control-groups.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import { type HostSnapshot, loadBetween, takeSnapshot } from './host-load.js';

/** Two snapshots nearer together than this say little: CPU time is counted in ticks of 10 ms. */
const shortestMs = 200;

/** The probe host's load since the reading before. */
export class HostMeter {
  private roots: ReadonlySet<number> = new Set();
  private readonly groups = new ControlGroups();
  private last: HostSnapshot | undefined;

  /** The browsers whose process trees count as probes. */
  watch(roots: ReadonlySet<number>): void {
    this.roots = roots;
    this.last = undefined;
  }

  /** `undefined` where there is no /proc. The first reading spans 200 ms. */
  async read(): Promise<ProbeHostReading | undefined> {
    const before = this.last ?? (await takeSnapshot(this.roots, this.groups));
    if (!before) return undefined;
    const pauseMs = shortestMs - (Date.now() - before.atMs);
    if (pauseMs > 0) await sleep(pauseMs);
    const now = await takeSnapshot(this.roots, this.groups);
    this.last = now;
    return now && loadBetween(before, now);
  }
}
