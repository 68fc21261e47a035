import type { WorkerReport } from './worker-wire.js';

/** The reports of a worker, of which each begins its counts anew: asked for one at a time, so that none is lost. */
export class WorkerReports {
  private answer: Promise<WorkerReport> | undefined;
  private answered: (report: WorkerReport) => void = () => undefined;

  constructor(private readonly ask: () => void) {}

  /** What the worker has counted; if it does not answer in time, how late it is, and its answer is the next one's. */
  async take(boundMs: number): Promise<WorkerReport> {
    if (!this.answer) {
      this.answer = new Promise((resolve) => {
        this.answered = resolve;
      });
      this.ask();
    }
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), boundMs);
    });
    const report = await Promise.race([this.answer, late]);
    clearTimeout(timer);
    if (!report) return { lateMs: boundMs };
    this.answer = undefined;
    return report;
  }

  hear(report: WorkerReport): void {
    this.answered(report);
  }
}
