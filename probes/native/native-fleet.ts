import { availableParallelism } from 'node:os';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { unlessAborted } from '../../host/bounded-wait.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import { type ProbeHost, type ProbeHostId, theOneHost } from '../../model/probe-host.js';
import { sampleOn } from '../../model/sample-line.js';
import type { Participant } from '../../model/scenario.js';
import type { FleetEvent, ProbeFailureCode, ProbeRecord } from '../../model/trial.js';
import { HostMeter } from '../chromium/host-meter.js';
import { ProbeCalls } from '../chromium/probe-calls.js';
import { ProbeLedger } from '../chromium/probe-ledger.js';
import type { Fleet, FleetListener, FleetOptions, JoinOptions, StartFleet } from '../fleet.js';
import { startsOf } from '../schedule.js';
import { WorkerProcess } from './worker-process.js';
import { layOutWorkers } from './workers.js';

const leaveBoundMs = 5_000;
/** A process that has not told of a probe's end this long after its deadline does not answer. */
const answerBoundMs = 3_000;

interface Trial {
  readonly ledger: ProbeLedger;
  readonly calls: ProbeCalls;
  readonly workers: readonly WorkerProcess[];
  readonly workerOf: ReadonlyMap<string, number>;
}

export const startNativeFleet: StartFleet = (options, listener) => new NativeFleet(options, listener);

/** Probes without a browser, in processes of their own on this machine: one for each core that is needed. Starts nothing until `join`. */
class NativeFleet implements Fleet {
  private readonly host: ProbeHostId;
  private readonly closed = new AbortController();
  private readonly meter = new HostMeter();
  private trial: Trial | undefined;
  private left = false;
  private dropped = 0;
  private lateMs = 0;

  constructor(
    private readonly options: FleetOptions,
    private readonly listener: FleetListener,
  ) {
    this.host = options.host ?? theOneHost;
  }

  async join(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    const signal = AbortSignal.any([options.signal, this.closed.signal]);
    const trial = this.prepare(participants, { ...options, signal });
    this.trial = trial;
    const closeEarly = (): void => void this.endWorkers();
    signal.addEventListener('abort', closeEarly, { once: true });
    try {
      signal.throwIfAborted();
      const lacking = await Promise.all(trial.workers.map((worker) => worker.ready())).then(
        () => undefined,
        (error: unknown) => String(error),
      );
      signal.throwIfAborted();
      if (lacking !== undefined) {
        this.failUnsettled('browser-start', `a process of native probes did not come up: ${lacking}`);
        return await this.endWorkers();
      }
      this.meter.watch(new Set(trial.workers.flatMap(({ pid }) => pid ?? [])));
      if (options.begins) await unlessAborted(signal, options.begins());
      await this.startAll(participants, trial, options, signal);
    } catch (error) {
      this.failUnsettled('aborted', 'the trial ended before this probe was up');
      await this.endWorkers();
      throw signal.aborted ? signal.reason : error;
    } finally {
      signal.removeEventListener('abort', closeEarly);
    }
  }

  private prepare(participants: readonly Participant[], { negotiate, begin, signal }: JoinOptions): Trial {
    const layout = layOutWorkers(participants, availableParallelism());
    const places = layout.map(({ worker }) => ({
      host: this.host,
      browser: worker,
      page: worker,
      native: true as const,
    }));
    const ledger = new ProbeLedger(participants, places, (event) => this.tell(event));
    const workerOf = new Map(participants.map(({ id }, index) => [id, layout[index]?.worker ?? 0]));
    const workerAt = (probe: string) => workers[workerOf.get(probe) ?? 0];
    const calls = new ProbeCalls(participants, {
      ledger,
      negotiate,
      ...(begin ? { begin } : {}),
      signal,
      offerToPage: async (probe, leg, offer) => (await workerAt(probe)?.renegotiate(probe, leg, offer)) ?? null,
      toPage: (probe, leg, candidate) => workerAt(probe)?.candidate(probe, leg, candidate),
      onEvent: (event) => this.tell(event),
      onSamples: (samples) => {
        if (!this.left) this.listener.onSamples(samples.map((sample) => sampleOn(this.host, sample)));
      },
      onArtifacts: () => undefined,
    });
    const networks = [...new Map(layout.map(({ worker, network }) => [worker, network]))];
    const workers = networks.map(([worker, network]) => this.startWorker(worker, network, networks.length, calls));
    return { ledger, calls, workers, workerOf };
  }

  private startWorker(index: number, network: string | undefined, of: number, calls: ProbeCalls): WorkerProcess {
    const script = fileURLToPath(new URL('native-worker.js', import.meta.url));
    const inside = network === undefined ? [] : (this.options.inside?.(network) ?? []);
    return new WorkerProcess({
      command: [...inside, execPath, this.options.workerScript ?? script],
      videoCodec: this.options.media.videoCodec,
      phaseMs: Math.round((index * 1000) / (of * 20)),
      onCall: (call) => calls.answer(call),
      onSecond: ({ dropped, lateMs }) => {
        this.dropped += dropped;
        this.lateMs = Math.max(this.lateMs, lateMs);
      },
      onLost: (why) => this.lost(index, why),
    });
  }

  private lost(worker: number, why: string): void {
    if (!this.trial || this.left) return;
    const atMs = Date.now();
    const probes = this.trial.ledger.probesAt(({ page }) => page === worker);
    const text = `A process of native probes ended (${why}), and with it ${probes.join(', ')}.`;
    this.tell({ type: 'warning', atMs, text });
    for (const probe of probes) {
      this.trial.calls.fail(probe, 'page-crashed', 'the process that played this probe ended', { atMs });
    }
  }

  private async startAll(
    participants: readonly Participant[],
    { ledger, calls, workers, workerOf }: Trial,
    options: JoinOptions,
    signal: AbortSignal,
  ): Promise<void> {
    const schedule = startsOf(participants, options);
    const beganMs = performance.now();
    const timers = participants.flatMap((participant, index) => {
      const { id } = participant;
      const { startMs, sourcesMs } = schedule[index] ?? { startMs: 0, sourcesMs: 0 };
      const deadlineMs = options.deadlineMs + sourcesMs;
      if (sourcesMs > 0) ledger.reached(id, { sourcesStartedMs: sourcesMs });
      const start = (): void => {
        ledger.begun(id, performance.now() - beganMs - startMs);
        workers[workerOf.get(id) ?? 0]?.start({ participant, deadlineMs });
      };
      const giveUp = (): void => {
        if (!ledger.isSettled(id)) calls.fail(id, 'page-error', 'its process does not answer');
      };
      return [setTimeout(start, startMs), setTimeout(giveUp, startMs + deadlineMs + answerBoundMs)];
    });
    try {
      await unlessAborted(signal, ledger.allSettled());
    } finally {
      for (const timer of timers) clearTimeout(timer);
    }
  }

  hosts(): readonly ProbeHost[] {
    return [{ id: this.host, besideConductor: true }];
  }

  records(): readonly ProbeRecord[] {
    return this.trial?.ledger.records() ?? [];
  }

  async readHosts(): Promise<readonly ProbeHostReading[]> {
    const reading = await this.meter.read();
    const { dropped: socketDrops, lateMs: nativeLateMs } = this;
    this.dropped = 0;
    this.lateMs = 0;
    return reading ? [{ host: this.host, ...reading, socketDrops, nativeLateMs }] : [];
  }

  async leave(): Promise<void> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, leaveBoundMs).unref());
    await Promise.race([late, Promise.all((this.trial?.workers ?? []).map((worker) => worker.leave()))]);
    this.left = true;
  }

  async close(): Promise<void> {
    this.left = true;
    this.closed.abort(new Error('the fleet was closed'));
    await this.endWorkers();
    this.failUnsettled('aborted', 'the trial ended before this probe was up');
  }

  private async endWorkers(): Promise<void> {
    await Promise.all((this.trial?.workers ?? []).map((worker) => worker.close()));
  }

  private failUnsettled(code: ProbeFailureCode, why: string): void {
    for (const probe of this.trial?.ledger.unsettled() ?? []) this.trial?.calls.fail(probe, code, why);
  }

  private tell(event: FleetEvent): void {
    this.listener.onEvent({ ...event, host: this.host });
  }
}
