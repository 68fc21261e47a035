import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorFolder } from '../monitor/monitor-journal.js';
import { bytesIn, type Kept, keptOfRun, thinRun } from './thin-run.js';

/** A run that the monitor has made; nothing else in its folder is ever touched. */
interface KeptRun {
  /** The folder's name. */
  readonly run: string;
  readonly startedAtMs: number;
}

interface RetentionOptions {
  /** Older runs are thinned. */
  readonly samplesForMs?: number;
  /** What all runs and the journal may take together. */
  readonly budgetBytes?: number;
}

type Room =
  | { readonly ok: true; readonly thinned: number }
  /** A sentence. */
  | { readonly ok: false; readonly thinned: number; readonly why: string };

/** Keeps a monitor's folder within bounds. Remembers sizes, so as not to scan years of runs each time. */
export class Retention {
  private readonly known = new Map<string, { bytes: number; kept: Kept }>();

  constructor(
    private readonly out: string,
    private readonly options: RetentionOptions,
  ) {}

  /**
   * Makes room for a run of so many bytes: thins what is old enough, then, if the budget asks for it, the oldest runs,
   * and last takes all but the records of the oldest. Records are never removed: when they alone fill the budget, or
   * the disk has no room, says so.
   */
  async makeRoom(runs: readonly KeptRun[], needBytes: number, nowMs: number): Promise<Room> {
    const oldestFirst = [...runs].sort((a, b) => a.startedAtMs - b.startedAtMs);
    let thinned = 0;
    const { samplesForMs, budgetBytes } = this.options;
    for (const { run, startedAtMs } of oldestFirst) {
      const isOld = samplesForMs !== undefined && nowMs - startedAtMs > samplesForMs;
      if (isOld && (await this.reduce(run, 'thinned', nowMs))) thinned += 1;
    }
    if (budgetBytes !== undefined) {
      for (const kept of ['thinned', 'records'] as const) {
        for (const { run } of oldestFirst) {
          if ((await this.used(runs)) + needBytes <= budgetBytes) break;
          if (await this.reduce(run, kept, nowMs)) thinned += 1;
        }
      }
      const used = await this.used(runs);
      if (used + needBytes > budgetBytes) {
        const why = `The disk budget of ${mb(budgetBytes)} is used up by records alone: ${mb(used)}, and the next run needs about ${mb(needBytes)}.`;
        return { ok: false, thinned, why };
      }
    }
    const free = await freeBytes(this.out);
    if (free === undefined || free >= needBytes) return { ok: true, thinned };
    return { ok: false, thinned, why: `The disk has ${mb(free)} left, and the next run needs about ${mb(needBytes)}.` };
  }

  /** What the runs and the journal take, bytes. */
  async used(runs: readonly KeptRun[]): Promise<number> {
    let sum = await bytesIn(join(this.out, monitorFolder));
    for (const { run } of runs) sum += (await this.look(run)).bytes;
    return sum;
  }

  private async look(run: string): Promise<{ bytes: number; kept: Kept }> {
    const known = this.known.get(run);
    if (known) return known;
    const directory = join(this.out, run);
    const found = { bytes: await bytesIn(directory), kept: await keptOfRun(directory) };
    this.known.set(run, found);
    return found;
  }

  private async reduce(run: string, kept: Exclude<Kept, 'all'>, nowMs: number): Promise<boolean> {
    const { bytes, kept: before } = await this.look(run);
    if (bytes === 0 || before === kept || before === 'records') return false;
    await thinRun(join(this.out, run), kept, nowMs);
    this.known.delete(run);
    return true;
  }
}

async function freeBytes(folder: string): Promise<number | undefined> {
  const found = await statfs(folder).catch(() => undefined);
  return found === undefined ? undefined : found.bavail * found.bsize;
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
