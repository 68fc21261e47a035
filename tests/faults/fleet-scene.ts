import { setTimeout as sleep } from 'node:timers/promises';
import { wallClock } from '../../cli/wiring/wall-clock.js';
import { sharesOfOne } from '../../model/calibration.js';
import { LoadlineError } from '../../model/errors.js';
import type { Step } from '../../model/run.js';
import type { RunEvent } from '../../model/run-event.js';
import type { Sample } from '../../model/sample.js';
import type { TrialRecord } from '../../model/trial.js';
import { type Agent, startAgent } from '../../probes/hosts/agent.js';
import type { Bus } from '../../probes/hosts/bus.js';
import { HostPool } from '../../probes/hosts/host-pool.js';
import { hostFleets } from '../../probes/hosts/hosts-fleet.js';
import { openNatsBus } from '../../probes/hosts/nats-bus.js';
import { wireFormat } from '../../probes/hosts/wire.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { conductRun } from '../../trial/conduct-run.js';
import { CuttableWay } from '../cuttable-way.js';
import { RealNats } from '../real-nats.js';
import { aMemorySink, aPlan, aSimulatedRun } from '../simulated-run.js';

/** A twentieth of what hosts and conductors wait for one another. */
export const shrunk = 20;
export const lifeLeaseMs = 10_000;
const measureMs = 5000;

interface SceneHost {
  readonly agent: Agent;
  readonly way: CuttableWay;
  readonly said: readonly string[];
}

export interface EndedFleetRun {
  readonly error?: LoadlineError;
  readonly records: readonly TrialRecord[];
  /** "1a 3" for each sample: the probe and the second of the trial's clock. */
  readonly seconds: (trial: number) => readonly string[];
}

/**
 * A real nats-server, two hosts and a conductor, each with a way of its own to it; servers and probes exist in numbers
 * only.
 */
export class FleetScene {
  readonly hosts: SceneHost[] = [];
  private readonly undo: (() => Promise<unknown>)[] = [];
  private readonly clock = wallClock;
  private readonly simulated = aSimulatedRun({ capacity: 18, seed: 7, startMs: Date.now(), clock: this.clock });
  pool: HostPool | undefined;

  private constructor(
    readonly nats: RealNats,
    readonly conductorsWay: CuttableWay,
    private readonly leaseMs: number,
  ) {}

  /** In its whole length the lease is that of life: a bus takes its time to start. */
  static async open(lease: 'a-twentieth' | 'whole'): Promise<FleetScene> {
    const nats = await RealNats.make();
    await nats.start();
    const way = await CuttableWay.to(nats.port);
    const scene = new FleetScene(nats, way, lease === 'whole' ? lifeLeaseMs : lifeLeaseMs / shrunk);
    scene.undo.push(
      () => nats.close(),
      () => way.close(),
    );
    for (const name of ['a', 'b']) scene.hosts.push(await scene.host(name));
    return scene;
  }

  /** The hosts that are there, held by a run of this name. */
  async hold(by: string, atLeast = 2): Promise<HostPool> {
    const bus = await this.connected(this.conductorsWay);
    const pool = await HostPool.open({
      bus,
      by,
      wanted: { build: 'b1', version: '0.1.0', boot: 'here' },
      spread: 'even',
      probes: sharesOfOne('full'),
      atLeast,
      waitMs: 5000,
      silenceMs: this.leaseMs,
    });
    this.undo.push(() => pool.close());
    return pool;
  }

  /** So many trials of one call, each of whose phases is told. */
  async run(trials: number, onPhase: (phase: string, trial: number) => unknown): Promise<EndedFleetRun> {
    const pool = await this.hold('ada@desk, process 1');
    this.pool = pool;
    const records: TrialRecord[] = [];
    const samples: { readonly trial: number; readonly sample: Sample }[] = [];
    const sink = {
      ...aMemorySink(),
      writeSamples: (trial: number, batch: readonly Sample[]) =>
        void samples.push(...batch.map((sample) => ({ trial, sample }))),
      writeTrial: async (record: TrialRecord) => void records.push(record),
    };
    const listener = (event: RunEvent) => {
      if (event.type === 'phase') void onPhase(event.phase, event.index);
    };
    const parts = { ...this.simulated.parts, startFleet: hostFleets(pool), sinks: [sink], listener };
    const seconds = (trial: number) =>
      samples.filter((one) => one.trial === trial).map(({ sample }) => `${sample.probe} ${sample.atMs}`);
    const step = (history: readonly unknown[]): Step =>
      history.length < trials
        ? { kind: 'try', size: 1, why: 'fixed', text: 'again' }
        : { kind: 'done', answer: { outcome: 'found', stable: 1, unstable: null, flaky: [], because: 'done' } };
    const plan = aPlan({}, { settleMs: 500, measureMs, earlyStop: false });
    try {
      await conductRun({ plan, scenario: oneToOne }, step, parts, new AbortController().signal);
      return { records, seconds };
    } catch (error) {
      if (error instanceof LoadlineError) return { error, records, seconds };
      throw error;
    }
  }

  async close(): Promise<void> {
    for (const host of this.hosts) host.way.mend();
    this.conductorsWay.mend();
    while (this.undo.length > 0) await this.undo.pop()?.();
  }

  private async host(name: string): Promise<SceneHost> {
    const way = await CuttableWay.to(this.nats.port);
    this.undo.push(() => way.close());
    const bus = await this.connected(way);
    const said: string[] = [];
    const facts = { instance: `${name}1`, name, wireFormat, version: '0.1.0', build: 'b1', chromium: '156' };
    const agent = startAgent({
      bus,
      offer: { ...facts, cores: 2, memoryMb: 4000, boot: 'here' },
      memoryFreeMb: async () => undefined,
      fleets: { browsers: this.simulated.parts.startFleet },
      chromiumPath: '',
      now: Date.now,
      leaseMs: this.leaseMs,
      say: (text) => said.push(text),
    });
    this.undo.push(() => agent.close('the test is over'));
    return { agent, way, said };
  }

  private async connected({ port }: CuttableWay): Promise<Bus> {
    const bus = await openNatsBus({ url: `nats://127.0.0.1:${port}`, name: 'a test' });
    this.undo.push(() => bus.close());
    return bus;
  }
}

/** In the middle of measuring. */
export const midway = () => sleep(measureMs / 4);
