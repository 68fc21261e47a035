import { given } from '../model/given.js';
import { participantsOf, type Scenario } from '../model/scenario.js';
import type { MediaServer } from '../server-setup/media-server.js';
import type { Clock, Parts } from '../trial/parts.js';
import { simulatedFleets } from './simulated-fleet.js';
import type { SimulatedHost } from './simulated-hosts.js';
import { chance, SimulatedServer, type SimulatedServerOptions } from './simulated-server.js';

export interface SimulationOptions extends Omit<SimulatedServerOptions, 'nowMs' | 'sleep' | 'sizeOf'> {
  readonly scenario: Scenario;
  /** Several servers that are to be one; absent: one, of `capacity`. */
  readonly cluster?: SimulatedCluster;
  /** With more than this size, in the scenario's unit, the probe host is out of CPU. */
  readonly probeLimit?: number;
  /** Several probe hosts, with what is the matter with each; absent: one, to which `probeLimit` applies. */
  readonly hosts?: readonly SimulatedHost[];
  /** Share of trials, 0 to 1, in which a browser crashes. */
  readonly voidRate?: number;
  /** What the clock shows at the start, epoch milliseconds. */
  readonly startMs: number;
  /** Absent: virtual time, which takes none. */
  readonly clock?: Clock;
}

export interface SimulatedCluster {
  readonly capacities: readonly number[];
  /** Makes one server of them. `busy` of a reading is a share of what that server has. */
  readonly asOne: (members: readonly SimulatedServer[], nowMs: () => number) => MediaServer;
}

/** A media server, probes and a clock that exist in numbers only: for `loadline simulate` and for tests. */
export function simulatedParts(options: SimulationOptions): Pick<Parts, 'server' | 'startFleet' | 'clock'> {
  const { scenario, probeLimit, hosts, voidRate, startMs, seed } = options;
  const clock = options.clock ?? virtualClock(startMs);
  const perUnit = probesPerUnit(scenario);
  const fixed = probesOf(scenario, 1) - perUnit;
  const sizeOf = (participants: number) => (participants - fixed) / perUnit;
  const nowMs = () => clock.nowMs();
  const serverOf = (capacity: number, nth: number) =>
    new SimulatedServer({
      ...options,
      capacity,
      seed: seed + nth,
      nowMs,
      sleep: (ms, signal) => clock.sleep(ms, signal),
      sizeOf,
    });
  const servers = (options.cluster?.capacities ?? [options.capacity]).map(serverOf);
  const first = servers[0] ?? serverOf(options.capacity, 0);
  const server = options.cluster?.asOne(servers, nowMs) ?? first;
  const startFleet = simulatedFleets({
    clock,
    trialNow: () => first.trialNow,
    chance: (...parts) => chance(seed, ...parts),
    conditionsOf: (participant, second) => {
      const holder = servers.find((one) => one.holds(participant));
      return holder?.conditionsOf(participant, second);
    },
    ...(probeLimit === undefined ? {} : { probeLimit: probesOf(scenario, probeLimit) }),
    ...given({ hosts, voidRate }),
  });
  return { server, startFleet, clock };
}

function probesOf(scenario: Scenario, size: number): number {
  return participantsOf(scenario.sessions(size)).length;
}

function probesPerUnit(scenario: Scenario): number {
  return probesOf(scenario, 2) - probesOf(scenario, 1);
}

interface Sleeper {
  readonly wakesAtMs: number;
  readonly order: number;
  readonly wake: () => void;
}

/**
 * A clock for simulated runs and tests: time stands still while anything has something to do, and leaps to the next
 * sleeper when all wait. Sleepers of the same moment wake in the order in which they went to sleep, one at a time,
 * each after what the one before it set in motion has come to rest; so a run on it is the same each time.
 */
export function virtualClock(startMs: number): Clock {
  return new VirtualClock(startMs);
}

class VirtualClock implements Clock {
  private sleepers: Sleeper[] = [];
  private order = 0;
  private leaping = false;

  constructor(private time: number) {}

  nowMs(): number {
    return this.time;
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = () => {
        this.sleepers = this.sleepers.filter((one) => one !== sleeper);
        reject(signal.reason);
      };
      const wake = () => {
        signal.removeEventListener('abort', onAbort);
        resolve();
      };
      const sleeper: Sleeper = { wakesAtMs: this.time + Math.max(0, ms), order: this.order, wake };
      this.order += 1;
      signal.addEventListener('abort', onAbort, { once: true });
      this.sleepers.push(sleeper);
      this.leapSoon();
    });
  }

  /** `setImmediate` comes after every promise that can go on has gone on (Node's event loop, "microtasks"). */
  private leapSoon(): void {
    if (this.leaping) return;
    this.leaping = true;
    setImmediate(() => {
      this.leaping = false;
      const next = this.sleepers.reduce<Sleeper | undefined>(earlier, undefined);
      if (!next) return;
      this.sleepers = this.sleepers.filter((one) => one !== next);
      this.time = Math.max(this.time, next.wakesAtMs);
      next.wake();
      this.leapSoon();
    });
  }
}

function earlier(best: Sleeper | undefined, one: Sleeper): Sleeper {
  if (!best || one.wakesAtMs < best.wakesAtMs) return one;
  return one.wakesAtMs === best.wakesAtMs && one.order < best.order ? one : best;
}
