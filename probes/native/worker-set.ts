import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { unprivilegedWords, whyPrivileged } from '../../host/unprivileged.js';
import type { ProbeHostReading } from '../../model/evidence.js';
import { given } from '../../model/given.js';
import { isSending, type Participant } from '../../model/scenario.js';
import type { FleetOptions } from '../fleet.js';
import { ProbeCalls } from '../ledger/probe-calls.js';
import { ownClock } from '../own-clock.js';
import type { PlayerOrder } from '../player.js';
import { sentClips } from './sent-clip.js';
import { WorkerProcess } from './worker-process.js';
import type { ClipOrder } from './worker-wire.js';

/** The program of its processes, beside the bundle that runs. */
export const workerProgram = 'native-worker.js';
/**
 * What a packet makes dies at once, and little lives for longer: a small young generation is as quick as a large one,
 * which takes thrice its size. Threads that collect and compile beside each other are no quicker either with so little
 * to do, and each keeps memory of its own. Optimized for size, V8 collects what lived for longer, in steps of a
 * millisecond, before half as much again has come of it.
 */
const heapFlags = [
  '--min-semi-space-size=1',
  '--max-semi-space-size=1',
  '--single-threaded-gc',
  '--v8-pool-size=1',
  '--optimize-for-size',
  '--expose-gc',
  // What V8 takes for a large host anyway: how it collects stays as it is. Of it, a probe needs some hundred KiB.
  '--max-old-space-size=2048',
];

/** Beside JavaScript's heap, datagrams and sockets: a process with all probes of a core takes a twentieth. */
const bounds = { memoryBytes: 6 * 2 ** 30 };

interface WorkersOrder {
  readonly player: PlayerOrder;
  /** Of each process the network that it is in. */
  readonly networks: readonly (string | undefined)[];
  readonly start: WorkerStart;
  /** By its index; absent: it plays nowhere now. */
  readonly workerOf: (probe: string) => number | undefined;
  /** A process has ended by itself. */
  readonly onLost: (worker: number, why: string) => void;
}

/** What the processes of a trial are started with. */
interface WorkerStart {
  /** Absent where nobody sends. */
  readonly clip: ClipOrder | undefined;
  /** In front of their program: as whom they run, because the media server chooses what they parse. */
  readonly words: readonly string[];
}

/** What native probes send is made the first time it is needed. Rejects with E_CHROMIUM_START. */
export async function workerStart(options: FleetOptions, participants: readonly Participant[]): Promise<WorkerStart> {
  const sends = participants.some(isSending);
  const { lightVoice, media } = options;
  const sent = { videoKbps: media.videoKbps, ...(lightVoice ? { lightVoice } : {}) };
  const clip = sends ? { paths: await sentClips(options), ...sent } : undefined;
  return { clip, words: await unprivilegedWords(bounds, [execPath, scriptOf(options)]) };
}

/** Why processes of native probes would run as root, a sentence part. */
export const whyRootPlays = (): Promise<string | undefined> => whyPrivileged([execPath, scriptOf({})]);

const scriptOf = ({ workerScript }: Pick<FleetOptions, 'workerScript'>) =>
  workerScript ?? fileURLToPath(new URL(workerProgram, import.meta.url));

/** The processes of one trial's native probes, and what answers their calls. They start with it. */
export class WorkerSet {
  readonly calls: ProbeCalls;
  private readonly workers: readonly WorkerProcess[];
  private dropped = 0;
  private lateMs = 0;

  constructor(order: WorkersOrder) {
    const workerAt = (probe: string) => this.at(order.workerOf(probe));
    this.calls = new ProbeCalls(order.player, {
      offerToPage: async (probe, leg, offer) => (await workerAt(probe)?.renegotiate(probe, leg, offer)) ?? null,
      toPage: (probe, leg, candidate) => workerAt(probe)?.candidate(probe, leg, candidate),
    });
    this.workers = order.networks.map((network, index) => this.startWorker(order, index, network));
  }

  at(worker: number | undefined): WorkerProcess | undefined {
    return worker === undefined ? undefined : this.workers[worker];
  }

  /** Why one of them did not come up; undefined when all have. */
  async lacking(): Promise<string | undefined> {
    return Promise.all(this.workers.map((worker) => worker.ready())).then(
      () => undefined,
      (error: unknown) => `a process of native probes did not come up: ${String(error)}`,
    );
  }

  roots(): ReadonlySet<number> {
    return new Set(this.workers.flatMap(({ pid }) => pid ?? []));
  }

  /** What kept them from reading in time since this was asked last. */
  take(): Pick<ProbeHostReading, 'socketDrops' | 'nativeLateMs'> {
    const { dropped: socketDrops, lateMs: nativeLateMs } = this;
    this.dropped = 0;
    this.lateMs = 0;
    return { socketDrops, nativeLateMs };
  }

  /** Resolves when all have hung up their probes. */
  async leave(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.leave()));
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.close()));
  }

  private startWorker(order: WorkersOrder, index: number, network: string | undefined): WorkerProcess {
    const { networks, start, onLost } = order;
    const { options } = order.player;
    const { relay, allow } = options;
    const inside = network === undefined ? [] : (options.inside?.(network) ?? []);
    return new WorkerProcess({
      command: [...inside, ...start.words, execPath, ...heapFlags, scriptOf(options)],
      videoCodec: options.media.videoCodec,
      ownClock: options.ownClock ?? ownClock(),
      phaseMs: Math.round((index * 1000) / (networks.length * 20)),
      ...given({
        clip: start.clip,
        trustedKey: relay?.trustedKey,
        allow: allow?.words,
        onForbidden: allow?.onForbidden,
      }),
      onCall: (call, sampleOf) => this.calls.answer(call, sampleOf),
      onSecond: ({ dropped, lateMs }) => {
        this.dropped += dropped;
        this.lateMs = Math.max(this.lateMs, lateMs);
      },
      onLost: (why) => onLost(index, why),
    });
  }
}
