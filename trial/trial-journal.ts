import type { RunListener } from '../model/run-event.js';
import type { PhaseMark, PhaseName, TrialEvent } from '../model/trial.js';
import type { Clock } from './parts.js';

export interface PhaseNow {
  readonly phase: PhaseName;
  readonly startedAtMs: number;
  readonly boundMs: number;
}

/** What happened in a trial and when: each event and each phase, kept for the record and told to whoever watches. */
export class TrialJournal {
  readonly startedAtMs: number;
  private readonly marks: PhaseMark[] = [];
  private readonly written: TrialEvent[] = [];
  private current: PhaseNow | undefined;

  constructor(
    private readonly index: number,
    private readonly clock: Clock,
    private readonly listener: RunListener,
  ) {
    this.startedAtMs = clock.nowMs();
  }

  get phases(): readonly PhaseMark[] {
    return this.marks;
  }

  get events(): readonly TrialEvent[] {
    return this.written;
  }

  /** The phase that is going on. */
  get now(): PhaseNow | undefined {
    return this.current;
  }

  /** Does the work of one phase between two marks; the second is set whatever happens. */
  async phase<T>(phase: PhaseName, boundMs: number, work: () => Promise<T>): Promise<T> {
    const startedAtMs = this.clock.nowMs();
    this.current = { phase, startedAtMs, boundMs };
    this.note({ type: 'phase', atMs: startedAtMs, phase });
    this.listener({ type: 'phase', index: this.index, phase, boundMs });
    try {
      return await work();
    } finally {
      this.marks.push({ phase, startedAtMs, endedAtMs: this.clock.nowMs() });
    }
  }

  note(event: TrialEvent): void {
    this.written.push(event);
    this.listener({ type: 'trial-event', index: this.index, event });
  }

  warn(text: string): void {
    this.note({ type: 'warning', atMs: this.clock.nowMs(), text });
  }
}
