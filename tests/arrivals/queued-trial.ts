import type { ArrivalsPlan } from '../../model/arrivals.js';
import { type Load, loads } from '../../model/load.js';
import { type Plan, planSchema } from '../../model/plan.js';
import type { Scenario } from '../../model/scenario.js';
import { castBy, mixedFleets } from '../../probes/mixed-fleet.js';
import { signallingFleets } from '../../probes/signalling/signalling-fleet.js';
import { scenarioOf } from '../../scenarios/index.js';
import { simulatedFleets } from '../../simulation/simulated-fleet.js';
import { healthy, sufferingFrom } from '../../simulation/symptoms.js';
import type { Clock, Parts } from '../../trial/parts.js';
import { runTrial } from '../../trial/run-trial.js';
import { ServerWatch } from '../../trial/server-watch.js';
import { aSimulatedRun } from '../simulated-run.js';
import { type QueueOptions, queueing } from './queue-server.js';

interface QueuedTrial {
  readonly size: number;
  readonly queue: QueueOptions;
  readonly arrivals?: Partial<ArrivalsPlan>;
  readonly measureMs?: number;
  readonly joinMsMax?: number;
  readonly also?: Plan['thresholds']['also'];
  /** Probes with media beside those who come. */
  readonly sentinels?: number;
  /** With more sessions than this open, media of all of them suffers. */
  readonly roomFor?: number;
  /** The clock of who plays the participants; absent: the conductor's. */
  readonly generator?: (clock: Clock) => Pick<Clock, 'nowMs' | 'sleep'>;
}

export function aPlanByArrivals(
  trial: Omit<QueuedTrial, 'size' | 'queue' | 'generator' | 'roomFor'>,
  search: Partial<Plan['search']> = {},
): Plan {
  const { arrivals, measureMs = 20_000, joinMsMax = 10_000, also, sentinels = 0 } = trial;
  return planSchema.parse({
    scenario: 'one-to-one',
    server: { kind: 'embedded' },
    players: { kind: 'signalling', sentinels, legs: 'all' },
    load: {
      by: 'arrivals',
      process: 'constant',
      holdMs: 5000,
      stay: 'constant',
      perMs: 1000,
      seed: 3,
      ...arrivals,
    },
    search: { within: 1, ...search },
    timing: { measureMs },
    thresholds: { joinMsMax, ...(also ? { also } : {}) },
  });
}

/** The scenario with sizes of this load. */
export function byArrivals(scenario: Scenario, load: Load, measureMs: number): Scenario {
  return loads[load.by].sized?.(load, scenario, measureMs, []) ?? scenario;
}

/** The parts of a run on a server that queues, its participants played by the real fleet; in virtual time. */
export function queuedParts(trial: Pick<QueuedTrial, 'queue' | 'generator' | 'roomFor'>) {
  const { parts: simulated } = aSimulatedRun({ voidRate: 0, capacity: 1e6 });
  const { clock } = simulated;
  const queued = queueing(simulated.server, clock, trial.queue);
  const signalling = signallingFleets(trial.generator?.(clock) ?? clock, async () => undefined);
  const { roomFor = Number.POSITIVE_INFINITY } = trial;
  const conditionsOf = () => (queued.open.size > roomFor ? sufferingFrom('slow', 0, 0.5) : healthy(0.5));
  const browsers = simulatedFleets({ clock, conditionsOf, chance: () => 0.5 });
  const cast = castBy({ kind: 'signalling', sentinels: 0, legs: 'all' });
  const startFleet = mixedFleets({ browsers, signalling }, cast, clock);
  const parts: Parts = { ...simulated, server: queued.server, startFleet };
  return { parts, ...queued };
}

/** One trial on it. */
export async function queuedTrial(trial: QueuedTrial) {
  const plan = aPlanByArrivals(trial);
  const { parts, ...queued } = queuedParts(trial);
  const signal = new AbortController().signal;
  const server = await parts.server.start(signal);
  const scenario = scenarioOf(plan);
  if (!scenario) throw new Error(`no scenario ${plan.scenario}`);
  const run = { plan, server, host: parts.host };
  const watch = new ServerWatch(parts.server);
  const setting = { run, scenario, parts, watch, index: 1, size: trial.size, why: 'baseline' as const, baseline: null };
  const { record, evidence } = await runTrial(setting, signal);
  return { record, evidence, plan, run, ...queued };
}
