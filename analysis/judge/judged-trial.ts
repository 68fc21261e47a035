import type { EarlyEnd } from '../../model/early-end.js';
import { comeAndGo } from '../../model/load.js';
import type { Plan, Thresholds } from '../../model/plan.js';
import type { HostFacts, ServerFacts } from '../../model/run.js';
import type { RecordedEnd } from '../../model/trial.js';
import type { TurnFacts } from '../../model/turn.js';
import { tooManyProbes } from './calibrated-host.js';
import type { JudgedLoad, JudgeInput, SeenTrial } from './judge-input.js';

/** What all trials of a run are judged by: the part of its manifest that the judge asks for. */
export interface JudgedRun {
  readonly plan: Plan;
  readonly server: Pick<ServerFacts, 'sameHost' | 'abilities' | 'cpuLimitCores' | 'egressLimitBps' | 'heldTo'>;
  readonly host: Pick<HostFacts, 'tooManyProbes'> & Partial<Pick<HostFacts, 'cores'>>;
  /** Absent when probes go directly. */
  readonly turn?: TurnFacts | undefined;
}

interface JudgedTrial extends SeenTrial {
  readonly end: RecordedEnd;
  /** So many participants joined a second, where that was not as the plan has it. */
  readonly pacePerSecond?: number | undefined;
  /** Its window was to be so long; absent: as long as the plan has it. */
  readonly heldMs?: number | undefined;
  /** Its window was ended so early as clearly stable: it is judged by that window. */
  readonly screened?: Pick<EarlyEnd, 'afterMs'> | undefined;
}

/** The one place where the judge's input is made, so that a trial is judged again as it was judged. */
export function judgeInput(
  { plan, server, host, turn }: JudgedRun,
  { end, screened, pacePerSecond, heldMs, ...seen }: JudgedTrial,
  thresholds: Thresholds = plan.thresholds,
): JudgeInput {
  return {
    ...seen,
    thresholds,
    media: plan.media,
    timing: { ...plan.timing, measureMs: screened?.afterMs ?? heldMs ?? plan.timing.measureMs },
    mixedFps: server.abilities.mixedFps,
    // Their own loss and delay is what limits are counted from, unless the plan wants absolute limits.
    networks: plan.absoluteLimits === true ? undefined : plan.networks,
    sameHost: server.sameHost,
    ...(server.heldTo?.apart ? { serverApart: true } : {}),
    tooMany: tooManyProbes({ plan, server, host }),
    interrupted: end.kind === 'interrupted',
    hurried: pacePerSecond !== undefined && pacePerSecond > plan.timing.pacePerSecond,
    steers: plan.search.strategy === 'ramp',
    load: judgedLoad(plan),
    ...(turn ? { turnIsOurs: turn.ours } : {}),
  };
}

/** Those who come signal alone, or are probes themselves. */
export function judgedLoad({ load, players }: Plan): JudgedLoad {
  if (!comeAndGo(load)) return { by: load.by };
  if (players.kind !== 'signalling') return { by: load.by, mediaOf: 'comers' };
  return { by: load.by, mediaOf: players.sentinels === 0 ? 'nobody' : 'sentinels' };
}
