import { nowMs } from '../../clock.js';
import { WorkerReports } from '../../encoded/worker-reports.js';

/** Longer than a second may be late, and shorter than a document is waited for (`page-readings.ts`). */
const boundMs = 350;
/** Everybody reads once a second. */
const keptMs = 3000;

/** How late the worker was. It tells each time once, and several participants of one document are to know it. */
export class WorkerLateness {
  private readonly reports: WorkerReports;
  private told: readonly { readonly atMs: number; readonly lateMs: number }[] = [];
  private hasFailed = false;

  constructor(ask: () => void) {
    this.reports = new WorkerReports(ask);
  }

  /** Its answer. */
  hear(lateMs: number): void {
    this.reports.hear({ lateMs });
  }

  /** It answers no more, which is told elsewhere. */
  fail(): void {
    this.hasFailed = true;
  }

  /** At worst since then, milliseconds. */
  async since(sinceMs: number): Promise<number> {
    if (this.hasFailed) return 0;
    const { lateMs } = await this.reports.take(boundMs);
    const atMs = nowMs();
    this.told = [...this.told.filter((one) => one.atMs > atMs - keptMs), { atMs, lateMs }];
    return Math.max(lateMs, ...this.told.filter((one) => one.atMs > sinceMs).map((one) => one.lateMs));
  }
}
