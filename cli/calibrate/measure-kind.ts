import { type CalibrationStep, nextProbes } from '../../analysis/judge/calibration.js';
import type { JudgedRun } from '../../analysis/judge/judged-trial.js';
import { mean } from '../../analysis/statistics/statistics.js';
import { LoadlineError } from '../../model/errors.js';
import type { Evidence } from '../../model/evidence.js';
import { type Plan, planSchema } from '../../model/plan.js';
import type { TrialRecord } from '../../model/trial.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import type { TrialParts } from '../../trial/parts.js';
import { runTrial } from '../../trial/run-trial.js';
import { ServerWatch } from '../../trial/server-watch.js';
import type { TrialEnd } from '../../trial/trial-end.js';
import { measure, settle } from '../../trial/trial-steps.js';

/** A picture may still freeze in the first seconds after many have joined: that is joining, and not what a host carries. */
const settleMs = 12_000;
const measureMs = 12_000;
const pacePerSecond = 6;
/** What a reading says is of the second before it. */
const readingMs = 1000;

export interface KindOrder {
  readonly kind: 'full' | 'encoded';
  readonly cores: number;
  /** What the media server said when it was started, without a limit. */
  readonly server: JudgedRun['server'];
  readonly parts: TrialParts;
  /** Memory of all browsers now, MiB. */
  readonly browsersMb: () => Promise<number>;
  readonly layout: Pick<Plan, 'probesPerPage' | 'pagesPerBrowser'>;
  readonly signal: AbortSignal;
  onStep(step: CalibrationStep): void;
}

/**
 * Tries growing numbers of probes in 1:1 calls until a reason on the probe side, or a participant's, stands in the way. Each
 * number is a trial. Rejects with what ended one that says nothing about probes, and when it is aborted.
 */
export async function measureKind(order: KindOrder): Promise<readonly CalibrationStep[]> {
  const plan = planSchema.parse({
    scenario: oneToOne.name,
    server: { kind: 'embedded' },
    timing: { measureMs, settleMs, pacePerSecond },
    ...(order.kind === 'encoded' ? { encoded: {} } : {}),
    ...order.layout,
  });
  const watch = new ServerWatch(order.parts.server);
  const steps: CalibrationStep[] = [];
  for (let next = nextProbes(steps, order.cores); next !== undefined; next = nextProbes(steps, order.cores)) {
    const step = await tryProbes(order, plan, watch, next, steps.length + 1);
    steps.push(step);
    order.onStep(step);
  }
  return steps;
}

async function tryProbes(
  { parts, server, browsersMb, signal }: KindOrder,
  plan: Plan,
  watch: ServerWatch,
  probes: number,
  index: number,
): Promise<CalibrationStep> {
  // What an earlier calibration of this host found must not excuse what this one finds.
  const run: JudgedRun = { plan, server, host: {} };
  const size = probes / 2;
  const setting = { run, scenario: oneToOne, parts, watch, index, size, why: 'grow', baseline: null } as const;
  let pssMb = 0;
  const { record, evidence, end } = await runTrial(setting, signal, async (desk) => {
    await settle(desk, { whole: true });
    await measure(desk);
    // Outside of the window: reading it makes the kernel walk every page.
    pssMb = await browsersMb();
  });
  signal.throwIfAborted();
  assertSaysSomething(end);
  return stepOf(probes, record, evidence, pssMb);
}

function assertSaysSomething(end: TrialEnd): void {
  if (end.kind === 'failed') throw end.error;
  if (end.kind !== 'server-lost') return;
  throw new LoadlineError('E_SERVER_LOST', 'The media server went away while the host was calibrated.', {
    why: end.detail,
  });
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
    ...(carried ? {} : { because: verdict.reasons[0]?.text ?? 'No reason was given.' }),
    probeCores: mean(host.map(({ probeCores }) => probeCores)) ?? 0,
    serverCores: mean(server.flatMap(({ cpuCores }) => cpuCores ?? [])) ?? 0,
    pssMb,
  };
}
