import type { Plan, Thresholds } from '../../model/plan.js';
import type { HostFacts, ServerFacts } from '../../model/run.js';
import type { RecordedEnd } from '../../model/trial.js';
import type { TurnFacts } from '../../model/turn.js';
import { tooManyProbes } from './calibrated-host.js';
import { excusedNetworks } from './excused-networks.js';
import type { JudgeInput, SeenTrial } from './judge-input.js';

/** What all trials of a run are judged by: the part of its manifest that the judge asks for. */
export interface JudgedRun {
  readonly plan: Plan;
  readonly server: Pick<ServerFacts, 'sameHost' | 'abilities'>;
  readonly host: Pick<HostFacts, 'tooManyProbes'>;
  /** Absent when probes go directly. */
  readonly turn?: TurnFacts | undefined;
}

/** A trial with how it came to its end. */
export interface JudgedTrial extends SeenTrial {
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
