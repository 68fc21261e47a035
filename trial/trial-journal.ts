import type { RunListener } from '../model/run-event.js';
import type { ServerEvent } from '../model/server-event.js';
import type { PhaseMark, PhaseName, TrialEvent } from '../model/trial.js';
import type { Clock } from './parts.js';

/**
 * What servers and browsers say is kept up to here: a thousand rooms say some ten thousand things, and one that says
 * more would fill the memory. The others are counted.
 */
const saidMost = 100_000;

interface PhaseNow {
  readonly phase: PhaseName;
  readonly startedAtMs: number;
  readonly boundMs: number;
}

/** What happened in a trial and when: each event and each phase, kept for the record and told to whoever watches. */
export class TrialJournal {
  readonly startedAtMs: number;
  private readonly marks: PhaseMark[] = [];
  private readonly written: TrialEvent[] = [];
  private said = 0;
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

  /** With a warning at the end when more was said than is kept. */
  get events(): readonly TrialEvent[] {
    const more = this.said - saidMost;
    if (more <= 0) return this.written;
    const text = `${more} more events of the media server and of pages were not kept, and nothing is judged by them`;
    return [...this.written, { type: 'warning', atMs: this.clock.nowMs(), text }];
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
    const isSaid = (event.type === 'server' && !decides(event)) || event.type === 'page-log';
    if (isSaid) this.said += 1;
    if (isSaid && this.said > saidMost) return;
    this.written.push(event);
    this.listener({ type: 'trial-event', index: this.index, event });
  }

  warn(text: string): void {
    this.note({ type: 'warning', atMs: this.clock.nowMs(), text });
  }
}

/** What the verdict rests on is kept, however much was said before it. */
function decides({ kind }: ServerEvent): boolean {
  return kind === 'lost' || kind === 'sessions-lost' || kind === 'reconnected' || kind === 'excess';
}
