import type { AlertTarget } from '../../alerts/target.js';
import type { MonitorJournal } from '../../store/monitor/monitor-journal.js';
import type { Retention } from '../../store/run-directory/retention.js';
import type { Clock } from '../../trial/parts.js';
import type { MonitorPlan, Watch } from './monitor-file.js';
import type { WatchRun } from './run-watch.js';

/** What a monitor works with; tests give it a clock of their own and runs that take no time. */
export interface MonitorParts {
  readonly clock: Clock;
  /** From 0 up to 1, for the jitter. */
  readonly random: () => number;
  readonly journal: MonitorJournal;
  /** The plan as it is now: the file may have been changed. */
  plan(): Promise<MonitorPlan>;
  retentionOf(plan: MonitorPlan): Pick<Retention, 'makeRoom'>;
  targetsOf(plan: MonitorPlan): readonly AlertTarget[];
  run(watch: Watch, plan: MonitorPlan, signal: AbortSignal): Promise<WatchRun>;
  /** One line of the log. */
  say(atMs: number, text: string): void;
}
