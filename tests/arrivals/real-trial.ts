import { setTimeout as pause } from 'node:timers/promises';
import { planSchema } from '../../model/plan.js';
import type { PlayersOf } from '../../model/players.js';
import type { ServerFacts } from '../../model/run.js';
import type { Subscribing } from '../../model/subscribing.js';
import { signallingFleets } from '../../probes/signalling/signalling-fleet.js';
import { scenarioOf } from '../../scenarios/index.js';
import type { MediaServer } from '../../server-setup/media-server.js';
import type { Parts } from '../../trial/parts.js';
import { runTrial } from '../../trial/run-trial.js';
import { ServerWatch } from '../../trial/server-watch.js';
import { aSimulatedRun } from '../simulated-run.js';

interface RealTrial {
  readonly server: MediaServer;
  readonly scenario: string;
  /** Begun per second. */
  readonly size: number;
  readonly holdMs: number;
  readonly measureMs: number;
  readonly subscribe?: Subscribing;
  /** Absent: all. */
  readonly legs?: PlayersOf<'signalling'>['legs'];
  readonly roomSize?: number;
  /** What starting the server told; absent: it is started. */
  readonly started?: ServerFacts;
}

/** A trial by arrivals, of participants without media, on a server that is there; in real time. */
export async function realTrial({ server, size, holdMs, measureMs, started, legs = 'all', ...rest }: RealTrial) {
  const plan = planSchema.parse({
    ...rest,
    server: { kind: 'embedded' },
    players: { kind: 'signalling', sentinels: 0, legs },
    load: { by: 'arrivals', process: 'constant', holdMs, stay: 'constant', perMs: 1000, seed: 3 },
    timing: { measureMs },
    // On a machine that does much else nobody is to be given up on.
    thresholds: { joinMsMax: 20_000 },
  });
  const nowMs = () => performance.timeOrigin + performance.now();
  const clock = { nowMs, sleep: (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal }) };
  const { parts: simulated } = aSimulatedRun();
  const parts: Parts = { ...simulated, clock, server, startFleet: signallingFleets(clock, async () => undefined) };
  const scenario = scenarioOf(plan);
  if (!scenario) throw new Error(`no scenario ${plan.scenario}`);
  const { signal } = new AbortController();
  const facts = started ?? (await server.start(signal));
  const run = { plan, server: facts, host: parts.host };
  const watch = new ServerWatch(server);
  const setting = { run, scenario, parts, watch, index: 1, size, why: 'baseline' as const, baseline: null };
  const result = await runTrial(setting, signal);
  const { arrivals } = result.record;
  if (!arrivals) throw new Error(`the trial has no arrivals: ${JSON.stringify(result.record.verdict)}`);
  return { ...result, arrivals, plan };
}
