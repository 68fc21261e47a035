import { given } from '../model/given.js';
import type { TrialProgress } from '../model/run-event.js';
import type { Participant } from '../model/scenario.js';
import type { ProbeRecord } from '../model/trial.js';
import type { Comers } from './comers.js';
import type { EvidenceWatch } from './evidence-watch.js';
import type { SampleIntake } from './sample-intake.js';
import type { TrialJournal } from './trial-journal.js';

/** What is told of a running trial. */
interface Running {
  readonly journal: TrialJournal;
  readonly evidence: EvidenceWatch;
  readonly intake: SampleIntake;
  readonly participants: readonly Participant[];
  probes(): readonly ProbeRecord[];
}

/**
 * What a person sees of a running trial in this second; `undefined` before its first phase.
 *
 * @param came how far those are who come and go; absent: all join and stay
 */
export function progressOf(
  trial: Running,
  nowMs: number,
  came?: ReturnType<Comers['counts']>,
): TrialProgress | undefined {
  const { now } = trial.journal;
  if (!now) return undefined;
  const { up, failed } = came ?? counted(trial.probes());
  const latest = trial.evidence.latest();
  const [[server], [turn]] = [latest.server, latest.turn ?? []];
  const busyPercents = latest.probeHost.map(({ busyCores, cores }) => (100 * busyCores) / cores);
  return {
    phase: now.phase,
    elapsedMs: nowMs - now.startedAtMs,
    boundMs: now.boundMs,
    probesAsked: trial.participants.length,
    probesUp: up,
    probesFailed: failed,
    ...trial.intake.lastSecond(nowMs),
    ...given({
      serverCores: server?.cpuCores,
      turnCores: turn?.cpuCores,
      hostBusyPercent: busyPercents.length > 0 ? Math.max(...busyPercents) : undefined,
    }),
  };
}

function counted(probes: readonly ProbeRecord[]) {
  const counts = { up: 0, failed: 0 };
  for (const { up, failures } of probes) {
    if (failures.length > 0) counts.failed += 1;
    else if (up) counts.up += 1;
  }
  return counts;
}
