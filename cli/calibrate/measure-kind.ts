import { type CalibrationStep, nextSessions } from '../../analysis/judge/calibration.js';
import type { JudgedRun } from '../../analysis/judge/judged-trial.js';
import { mean } from '../../analysis/statistics/statistics.js';
import { LoadlineError } from '../../model/errors.js';
import type { Evidence } from '../../model/evidence.js';
import { given } from '../../model/given.js';
import { type Plan, planSchema } from '../../model/plan.js';
import { type ProbeKind, probeKinds } from '../../model/probe-kinds.js';
import { participantsOf, type Scenario } from '../../model/scenario.js';
import type { TrialRecord } from '../../model/trial.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import type { TrialParts } from '../../trial/parts.js';
import { runTrial } from '../../trial/run-trial.js';
import { ServerWatch } from '../../trial/server-watch.js';
import { measure, settle } from '../../trial/trial-steps.js';

/** Pictures may freeze in the first seconds after many joined: that is joining, not what a host carries. */
const settleMs = 12_000;
const measureMs = 12_000;
/** What a reading says is of the second before it. */
const readingMs = 1000;

interface ProbesOrder {
  readonly cores: number;
  /** What the media server said when it was started, without a limit. */
  readonly server: JudgedRun['server'];
  readonly parts: TrialParts;
  /** Memory of all processes that play probes now, MiB. */
  readonly playersMb: () => Promise<number>;
  readonly signal: AbortSignal;
  onStep(step: CalibrationStep): void;
}

export interface KindOrder extends ProbesOrder {
  readonly kind: ProbeKind;
  /** Its servers count; scenario, media and timing are those of every calibration. */
  readonly plan: Pick<Plan, 'server'>;
  readonly layout: Pick<Plan, 'probesPerPage' | 'pagesPerBrowser'>;
}

export interface SessionsOrder extends ProbesOrder {
  readonly plan: Plan;
  readonly scenario: Scenario;
}

/** How long each number of probes settles and is measured. */
export const calibratedTiming = { measureMs, settleMs } as const;

/** The same with probes of ours, in 1:1 calls. */
export function measureKind(order: KindOrder): Promise<readonly CalibrationStep[]> {
  const plan = planSchema.parse({
    scenario: oneToOne.name,
    server: order.plan.server,
    timing: { ...calibratedTiming, pacePerSecond: probeKinds[order.kind].calibrated.paceOf(order.cores) },
    ...(order.kind === 'encoded' ? { players: { kind: 'encoded', fullShare: 0 } } : {}),
    ...order.layout,
  });
  return measureSessions({ ...order, plan, scenario: oneToOne });
}

/**
 * Tries growing numbers of probes, in whole sessions, until a reason on the probe side, or a participant's, stands in
 * the way. Each number is a trial. Rejects with what ended one that says nothing about probes, and when it is aborted.
 */
export async function measureSessions(order: SessionsOrder): Promise<readonly CalibrationStep[]> {
  const members = participantsOf(order.scenario.sessions(1)).length;
  const watch = new ServerWatch(order.parts.server);
  const steps: CalibrationStep[] = [];
  const next = (): number | undefined => nextSessions(steps, order.cores, members);
  for (let size = next(); size !== undefined; size = next()) {
    const step = await trySessions(order, watch, { size, index: steps.length + 1 }, size * members);
    steps.push(step);
    order.onStep(step);
  }
  return steps;
}

async function trySessions(
  { plan, scenario, parts, server, playersMb, signal }: SessionsOrder,
  watch: ServerWatch,
  trial: { readonly size: number; readonly index: number },
  probes: number,
): Promise<CalibrationStep> {
  // What an earlier calibration of this host found must not excuse what this one finds.
  const run: JudgedRun = { plan, server, host: {} };
  const setting = { run, scenario, parts, watch, ...trial, why: 'grow', baseline: null } as const;
  let pssMb = 0;
  const { record, evidence, end } = await runTrial(setting, signal, async (state) => {
    await settle(state, { whole: true });
    await measure(state);
    // Outside of the window: reading it makes the kernel walk every page.
    pssMb = await playersMb();
  });
  signal.throwIfAborted();
  if (end.kind === 'failed') throw end.error;
  if (end.kind === 'server-lost') {
    const what = 'The media server went away while the host was calibrated.';
    throw new LoadlineError('E_SERVER_LOST', what, { why: end.detail });
  }
  return stepOf(probes, record, evidence, pssMb);
}

function stepOf(probes: number, { verdict, window }: TrialRecord, evidence: Evidence, pssMb: number): CalibrationStep {
  const carried = verdict.kind === 'stable';
  const inWindow = ({ atMs }: { readonly atMs: number }) =>
    window !== undefined && atMs >= window.startMs + readingMs && atMs <= window.endMs;
  const host = evidence.probeHost.filter(inWindow);
  const server = evidence.server.filter(inWindow);
  return {
    probes,
    carried,
    ...given({ because: carried ? undefined : (verdict.reasons[0]?.text ?? 'No reason was given.') }),
    probeCores: mean(host.map(({ probeCores }) => probeCores)) ?? 0,
    serverCores: mean(server.flatMap(({ cpuCores }) => cpuCores ?? [])) ?? 0,
    pssMb,
  };
}
