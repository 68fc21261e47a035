import type { Evidence } from '../../model/evidence.js';
import type { Plan, Thresholds } from '../../model/plan.js';
import type { HostFacts, ServerFacts } from '../../model/run.js';
import type { Sample } from '../../model/sample.js';
import type { Baseline, ProbeRecord, RecordedEnd, RecordingsRecord, TrialEvent } from '../../model/trial.js';
import type { TurnFacts } from '../../model/turn.js';
import type { TimeWindow } from '../measure/window.js';
import { tooManyProbes } from './calibrated-host.js';
import { excusedNetworks } from './excused-networks.js';
import type { JudgeInput } from './judge-input.js';

/** What all trials of a run are judged by: the part of its manifest that the judge asks for. */
export interface JudgedRun {
  readonly plan: Plan;
  readonly server: Pick<ServerFacts, 'sameHost' | 'abilities'>;
  readonly host: Pick<HostFacts, 'tooManyProbes'>;
  /** Absent when probes go directly. */
  readonly turn?: TurnFacts | undefined;
}

/** What was seen of one trial: while it runs, when it is over, or as it was stored. */
export interface JudgedTrial {
  /** Of the trials before it; null when this is the first. */
  readonly baseline: Baseline | null;
  readonly probesAsked: number;
  readonly probes: readonly ProbeRecord[];
  readonly samples: readonly Sample[];
  /** Absent when it ended before measuring. */
  readonly window?: TimeWindow | undefined;
  readonly evidence: Evidence;
  readonly events: readonly TrialEvent[];
  /** Absent when nothing was recorded, or not looked at. */
  readonly recordings?: RecordingsRecord | undefined;
  readonly end: RecordedEnd;
}

/** The one place where the judge's input is made, so that a trial is judged again as it was judged. */
export function judgeInput(
  { plan, server, host, turn }: JudgedRun,
  { end, ...seen }: JudgedTrial,
  thresholds: Thresholds = plan.thresholds,
): JudgeInput {
  return {
    ...seen,
    thresholds,
    media: plan.media,
    timing: plan.timing,
    mixedFps: server.abilities.mixedFps,
    networks: excusedNetworks(plan),
    sameHost: server.sameHost,
    tooMany: tooManyProbes({ plan, server, host }),
    interrupted: end.kind === 'interrupted',
    steers: plan.search.strategy === 'ramp',
    ...(turn ? { turnIsOurs: turn.ours } : {}),
  };
}
