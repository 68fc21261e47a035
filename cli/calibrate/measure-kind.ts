import { pid as ownPid } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CalibrationStep, nextProbes } from '../../analysis/judge/calibration.js';
import { type JudgeInput, judge } from '../../analysis/judge/judge.js';
import { readTreesPss } from '../../host/process-memory.js';
import type { Evidence, ProbeHostReading, ServerReading } from '../../model/evidence.js';
import { type Plan, planSchema } from '../../model/plan.js';
import type { Sample } from '../../model/sample.js';
import { participantsOf } from '../../model/scenario.js';
import type { TrialEvent } from '../../model/trial.js';
import { startChromiumFleet } from '../../probes/chromium/chromium-fleet.js';
import { profileFolders } from '../../probes/chromium/profile-folders.js';
import type { Fleet } from '../../probes/fleet.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import type { MediaServer, ServerSession } from '../../server-setup/media-server.js';

/** A picture may still freeze in the first seconds after many have joined: that is joining, and not what a host carries. */
const settleMs = 12_000;
const measureMs = 12_000;
const pacePerSecond = 6;

export interface KindOrder {
  readonly kind: 'full' | 'encoded';
  readonly chromiumPath: string;
  readonly cacheFolder: string;
  readonly cores: number;
  /** Started; without a limit. */
  readonly server: MediaServer;
  readonly layout: Pick<Plan, 'probesPerPage' | 'pagesPerBrowser'>;
  readonly signal: AbortSignal;
  onStep(step: CalibrationStep): void;
}

/** Tries growing numbers of probes in 1:1 calls until a reason on the probe side, or a participant's, stands in the way. */
export async function measureKind(order: KindOrder): Promise<readonly CalibrationStep[]> {
  const steps: CalibrationStep[] = [];
  for (let next = nextProbes(steps, order.cores); next !== undefined; next = nextProbes(steps, order.cores)) {
    const step = await tryProbes(order, next);
    steps.push(step);
    order.onStep(step);
  }
  return steps;
}

async function tryProbes(order: KindOrder, probes: number): Promise<CalibrationStep> {
  const plan = planSchema.parse({
    scenario: oneToOne.name,
    server: { kind: 'embedded' },
    timing: { measureMs, settleMs, pacePerSecond },
    ...(order.kind === 'encoded' ? { encoded: {} } : {}),
    ...order.layout,
  });
  const samples: Sample[] = [];
  const events: TrialEvent[] = [];
  const fleet = startChromiumFleet(
    { ...fleetPart(plan), chromiumPath: order.chromiumPath, cacheFolder: order.cacheFolder },
    { onSamples: (batch) => samples.push(...batch), onEvent: (event) => events.push(event) },
  );
  try {
    await joinAll(fleet, order, probes / 2);
    await sleep(settleMs, undefined, { signal: order.signal });
    const watched = await watch(fleet, order);
    const input = judgeInput(plan, fleet, watched, samples, events, probes);
    return stepOf(probes, input, watched);
  } finally {
    await fleet.close();
    await order.server.reset(order.signal.aborted ? new AbortController().signal : order.signal);
  }
}

async function joinAll(fleet: Fleet, { server, signal }: KindOrder, calls: number): Promise<void> {
  const sessions = oneToOne.sessions(calls);
  const opened = new Map<string, ServerSession>();
  for (const session of sessions) opened.set(session.id, await server.openSession(session, signal));
  await fleet.join(participantsOf(sessions), {
    pacePerSecond,
    deadlineMs: 15_000,
    signal,
    negotiate: (request) => {
      const session = opened.get(request.participant.session);
      return session ? session.join(request) : Promise.reject(new Error('no such session'));
    },
  });
}

interface Watched {
  readonly window: { readonly startMs: number; readonly endMs: number };
  readonly evidence: Evidence;
  readonly pssMb: number;
}

async function watch(fleet: Fleet, { server, signal }: KindOrder): Promise<Watched> {
  await Promise.all([fleet.readHost(), server.resources?.().catch(() => undefined)]);
  const startMs = Date.now();
  const probeHost: ProbeHostReading[] = [];
  const readings: ServerReading[] = [];
  while (Date.now() < startMs + measureMs) {
    await sleep(1000, undefined, { signal });
    // A server that is too busy to tell has no reading in this second: the step then fails by what its participants saw.
    const told = server.resources?.().catch(() => undefined);
    const [ours, theirs] = await Promise.all([fleet.readHost(), told]);
    if (ours) probeHost.push(ours);
    if (theirs) readings.push(theirs);
  }
  const window = { startMs, endMs: Date.now() };
  // Samples of the last second are still on their way; the browsers' memory is read meanwhile, outside of the window.
  const pssMb = await readTreesPss((argument) => profileFolders.ownerOf(argument) === ownPid);
  await sleep(750, undefined, { signal });
  return { window, evidence: { probeHost, server: readings }, pssMb };
}

function judgeInput(
  plan: Plan,
  fleet: Fleet,
  { window, evidence }: Watched,
  samples: readonly Sample[],
  events: readonly TrialEvent[],
  probesAsked: number,
): JudgeInput {
  return {
    thresholds: plan.thresholds,
    baseline: null,
    media: plan.media,
    timing: plan.timing,
    probesAsked,
    probes: fleet.records(),
    samples,
    window,
    evidence,
    events,
    sameHost: true,
    interrupted: false,
  };
}

function stepOf(probes: number, input: JudgeInput, { evidence, pssMb }: Watched): CalibrationStep {
  const verdict = judge(input);
  const carried = verdict.kind === 'stable';
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return {
    probes,
    carried,
    ...(carried ? {} : { because: verdict.reasons[0]?.text ?? 'No reason was given.' }),
    probeCores: mean(evidence.probeHost.map(({ probeCores }) => probeCores)),
    serverCores: mean(evidence.server.flatMap(({ cpuCores }) => cpuCores ?? [])),
    pssMb,
  };
}

function fleetPart({ media, encoded, probesPerPage, pagesPerBrowser }: Plan) {
  return { media, probesPerPage, pagesPerBrowser, ...(encoded ? { encoded } : {}) };
}
