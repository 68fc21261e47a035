import { availableParallelism } from 'node:os';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { atMost, unlessAborted } from '../../host/bounded-wait.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import type { ProbeHost } from '../../model/probe-host.js';
import { isSending, type Participant } from '../../model/scenario.js';
import type { ProbeRecord } from '../../model/trial.js';
import { failUnsettled, tooEarly } from '../chromium/fleet-trial.js';
import { OwnHost } from '../chromium/own-host.js';
import { ProbeCalls } from '../chromium/probe-calls.js';
import { ProbeLedger } from '../chromium/probe-ledger.js';
import { startAtPace } from '../chromium/start-at-pace.js';
import type { Fleet, FleetListener, FleetOptions, JoinOptions, StartFleet } from '../fleet.js';
import { sentClip } from './sent-clip.js';
import { WorkerProcess } from './worker-process.js';
import type { ClipOrder } from './worker-wire.js';
import { layOutWorkers } from './workers.js';

/** The program of its processes, beside the bundle that runs. */
export const workerProgram = 'native-worker.js';
const leaveBoundMs = 5_000;
/** Most of what a packet makes dies at once: with a young generation that grows from 1 MiB, much of it lived to be old, and a fifth of the CPU went into collecting it. */
const heapFlags = ['--min-semi-space-size=4', '--max-semi-space-size=4'];

interface Trial {
  readonly ledger: ProbeLedger;
  readonly calls: ProbeCalls;
  readonly workers: readonly WorkerProcess[];
  readonly workerOf: ReadonlyMap<string, number>;
}

export const startNativeFleet: StartFleet = (options, listener) => new NativeFleet(options, listener);

/** Probes without a browser, in processes of their own on this machine: one for each core that is needed. Starts nothing until `join`. */
class NativeFleet implements Fleet {
  private readonly host: OwnHost;
  private readonly closed = new AbortController();
  private trial: Trial | undefined;
  private left = false;
  private dropped = 0;
  private lateMs = 0;

  constructor(
    private readonly options: FleetOptions,
    listener: FleetListener,
  ) {
    this.host = new OwnHost(options.host, listener);
  }

  async join(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    const signal = AbortSignal.any([options.signal, this.closed.signal]);
    const clip = await this.clipFor(participants);
    const trial = this.prepare(participants, { ...options, signal }, clip);
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
        failUnsettled(trial, 'browser-start', `a process of native probes did not come up: ${lacking}`);
        return await this.endWorkers();
      }
      this.host.watch(new Set(trial.workers.flatMap(({ pid }) => pid ?? [])));
      if (options.begins) await unlessAborted(signal, options.begins());
      await startAtPace({
        participants,
        ledger: trial.ledger,
        options,
        signal,
        start: (participant, deadlineMs) =>
          trial.workers[trial.workerOf.get(participant.id) ?? 0]?.start({ participant, deadlineMs }),
        giveUp: (probe) => trial.calls.fail(probe, 'page-error', 'its process does not answer'),
      });
    } catch (error) {
      failUnsettled(trial, ...tooEarly);
      await this.endWorkers();
      throw signal.aborted ? signal.reason : error;
    } finally {
      signal.removeEventListener('abort', closeEarly);
    }
  }

  private async clipFor(participants: readonly Participant[]): Promise<ClipOrder | undefined> {
    if (!participants.some(isSending)) return undefined;
    return { path: await sentClip(this.options), videoKbps: this.options.media.videoKbps };
  }

  private prepare(
    participants: readonly Participant[],
    { negotiate, begin, signal }: JoinOptions,
    clip: ClipOrder | undefined,
  ): Trial {
    const layout = layOutWorkers(participants, availableParallelism());
    const places = layout.map(({ worker }) => ({
      host: this.host.id,
      browser: worker,
      page: worker,
      native: true as const,
    }));
    const ledger = new ProbeLedger(participants, places, (event) => this.host.event(event));
    const workerOf = new Map(participants.map(({ id }, index) => [id, layout[index]?.worker ?? 0]));
    const workerAt = (probe: string) => workers[workerOf.get(probe) ?? 0];
    const calls = new ProbeCalls(participants, {
      ledger,
      negotiate,
      ...(begin ? { begin } : {}),
      signal,
      offerToPage: async (probe, leg, offer) => (await workerAt(probe)?.renegotiate(probe, leg, offer)) ?? null,
      toPage: (probe, leg, candidate) => workerAt(probe)?.candidate(probe, leg, candidate),
      onEvent: (event) => this.host.event(event),
      onSamples: (samples) => {
        if (!this.left) this.host.samples(samples);
      },
      onArtifacts: () => undefined,
    });
    const networks = [...new Map(layout.map(({ worker, network }) => [worker, network]))];
    const workers = networks.map(([worker, network]) =>
      this.startWorker({ index: worker, network, of: networks.length }, calls, clip),
    );
    return { ledger, calls, workers, workerOf };
  }

  private startWorker(
    { index, network, of }: { readonly index: number; readonly network: string | undefined; readonly of: number },
    calls: ProbeCalls,
    clip: ClipOrder | undefined,
  ): WorkerProcess {
    const script = fileURLToPath(new URL(workerProgram, import.meta.url));
    const inside = network === undefined ? [] : (this.options.inside?.(network) ?? []);
    return new WorkerProcess({
      command: [...inside, execPath, ...heapFlags, this.options.workerScript ?? script],
      videoCodec: this.options.media.videoCodec,
      phaseMs: Math.round((index * 1000) / (of * 20)),
      ...(clip ? { clip } : {}),
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
    this.host.event({ type: 'warning', atMs, text });
    for (const probe of probes) {
      this.trial.calls.fail(probe, 'page-crashed', 'the process that played this probe ended', { atMs });
    }
  }

  hosts(): readonly ProbeHost[] {
    return this.host.hosts();
  }

  records(): readonly ProbeRecord[] {
    return this.trial?.ledger.records() ?? [];
  }

  async readHosts(): Promise<readonly ProbeHostReading[]> {
    const readings = await this.host.read();
    const { dropped: socketDrops, lateMs: nativeLateMs } = this;
    this.dropped = 0;
    this.lateMs = 0;
    return readings.map((reading) => ({ ...reading, socketDrops, nativeLateMs }));
  }

  async leave(): Promise<void> {
    await atMost(leaveBoundMs, Promise.all((this.trial?.workers ?? []).map((worker) => worker.leave())));
    this.left = true;
  }

  async close(): Promise<void> {
    this.left = true;
    this.closed.abort(new Error('the fleet was closed'));
    await this.endWorkers();
    failUnsettled(this.trial, ...tooEarly);
  }

  private async endWorkers(): Promise<void> {
    await Promise.all((this.trial?.workers ?? []).map((worker) => worker.close()));
  }
}
