import { unlessAborted } from '../../host/bounded-wait.js';
import type { Participant } from '../../model/scenario.js';
import type { JoinOptions } from '../fleet.js';
import { type ProbeStart, startsOf } from '../schedule.js';
import type { ProbeLedger } from './probe-ledger.js';

/** Who has not told of a probe's end this long after its deadline does not answer. */
export const answerBoundMs = 3_000;

interface Starting {
  readonly participants: readonly Participant[];
  readonly ledger: ProbeLedger;
  readonly options: JoinOptions;
  readonly signal: AbortSignal;
  /** Absent: by the pace, each after those whose media it receives. */
  readonly starts?: readonly ProbeStart[];
  readonly start: (participant: Participant, deadlineMs: number) => void;
  /** Called when a probe is neither up nor failed 3 s after its deadline. Absent: its player always tells. */
  readonly giveUp?: (probe: string) => void;
}

/**
 * Starts each probe when it is due, and resolves when each is up or has failed. The pace's clock starts with the call.
 * Rejects with the signal's reason when that aborts.
 */
export async function startAtPace(starting: Starting): Promise<void> {
  const { participants, ledger, options, signal, starts = startsOf(participants, options), giveUp } = starting;
  const beganMs = performance.now();
  const timers = participants.flatMap((participant, index) => {
    const { id } = participant;
    const { startMs, sourcesMs } = starts[index] ?? { startMs: 0, sourcesMs: 0 };
    const deadlineMs = options.deadlineMs + sourcesMs;
    if (sourcesMs > 0) ledger.reached(id, { sourcesStartedMs: sourcesMs });
    const start = (): void => {
      ledger.begun(id, performance.now() - beganMs - startMs);
      starting.start(participant, deadlineMs);
    };
    const late = (): void => {
      if (!ledger.isSettled(id)) giveUp?.(id);
    };
    const started = setTimeout(start, startMs);
    return giveUp ? [started, setTimeout(late, startMs + deadlineMs + answerBoundMs)] : [started];
  });
  try {
    await unlessAborted(signal, ledger.allSettled());
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}
