import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { platform } from 'node:process';
import type { Duplex } from 'node:stream';
import { childEnvironment } from '../../host/child-environment.js';
import { type ChildEnd, endOf, howItEnded } from '../../host/child-processes.js';
import { openMessagePipe, pipeDescriptor } from '../../host/message-pipe.js';
import { given } from '../../model/given.js';
import type { Sample } from '../../model/sample.js';
import { checkedSampleOfLine } from '../../model/sample-line.js';
import type { IceCandidate, ServerOffer } from '../../model/signalling.js';
import type { HostCall, HostReply, ProbeOrder } from '../page/wire.js';
import type { FromWorker, ToWorker, WorkerSetUp } from './worker-wire.js';
import { readWords, samplesMax } from './worker-words.js';

/** How long a process may take until it plays probes: it makes one key. */
const readyBoundMs = 15_000;

/** Behind those of the standard streams and of the pipe. */
const clipDescriptor = pipeDescriptor + 1;

/** Samples are the longest message, of two bytes a character where one of them needs that. */
const messageBytesMax = 2 * samplesMax + 1_000_000;

interface WorkerProcessOptions extends Omit<WorkerSetUp, 'to'> {
  /** The program and its words. */
  readonly command: readonly string[];
  readonly onForbidden?: (address: string) => void;
  /** Lines of samples are read by what stands beside the call. */
  readonly onCall: (call: HostCall, sampleOf: (line: string) => Sample) => Promise<HostReply | null>;
  readonly onSecond: (of: { readonly dropped: number; readonly lateMs: number }) => void;
  /** It has ended by itself. */
  readonly onLost: (why: string) => void;
}

/** A process that plays native probes, from outside. */
export class WorkerProcess {
  private readonly child: ChildProcess;
  /** One that has ended is told of by `ended`. */
  private readonly send: (message: ToWorker) => void;
  private readonly options: WorkerProcessOptions;
  private readonly ended: Promise<ChildEnd>;
  private readonly offers = new Map<number, (answer: string | null) => void>();
  private readonly probes = new Set<string>();
  private offered = 0;
  private becomeReady: () => void = () => undefined;
  private hasLeft: () => void = () => undefined;
  private closing = false;
  private isBroken = false;

  constructor(options: WorkerProcessOptions) {
    this.options = options;
    const [program = '', ...words] = options.command;
    // Nobody may not enter the cache of root that the clips are in, but may read the files.
    const clips = options.clip?.paths.map((path) => openSync(path, 'r')) ?? [];
    this.child = spawn(program, words, {
      cwd: '/',
      env: childEnvironment(),
      stdio: ['ignore', 'ignore', 'inherit', 'pipe', ...clips],
    });
    for (const clip of clips) closeSync(clip);
    this.send = openMessagePipe(this.child.stdio[pipeDescriptor] as Duplex, {
      most: messageBytesMax,
      onMessage: (message) => {
        const words = this.isBroken ? undefined : readWords(message);
        if (words) this.take(words).catch(() => this.broken());
        else this.broken();
      },
      onUnreadable: () => this.broken(),
    });
    this.ended = endOf(this.child);
    void this.ended.then((end) => this.lost(end));
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Rejects when it does not come up. */
  ready(): Promise<void> {
    const { videoCodec, ownClock, phaseMs, clip, trustedKey, allow } = this.options;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`not ready in ${readyBoundMs / 1000} s`)), readyBoundMs);
      this.becomeReady = () => {
        clearTimeout(late);
        resolve();
      };
      void this.ended.then((end) => {
        clearTimeout(late);
        reject(new Error(howItEnded(end)));
      });
      const paths = clip?.paths.map((path, nth) =>
        platform === 'linux' ? `/proc/self/fd/${clipDescriptor + nth}` : path,
      );
      const more = given({ clip: clip && paths && { ...clip, paths }, trustedKey, allow });
      this.send({ to: 'set-up', videoCodec, phaseMs, ownClock, ...more });
    });
  }

  start(order: ProbeOrder): void {
    this.probes.add(order.participant.id);
    this.send({ to: 'start', order });
  }

  candidate(probe: string, leg: string, candidate: IceCandidate): void {
    this.send({ to: 'candidate', probe, leg, candidate });
  }

  /** `null` when the offer cannot be applied, or the process has ended. */
  renegotiate(probe: string, leg: string, offer: ServerOffer): Promise<string | null> {
    this.offered += 1;
    const nth = this.offered;
    return new Promise((resolve) => {
      this.offers.set(nth, resolve);
      this.send({ to: 'renegotiate', nth, probe, leg, offer });
    });
  }

  /** Of one that leaves while others go on. */
  hangUp(probe: string): void {
    this.send({ to: 'hang-up', probe });
  }

  /** Resolves when it has hung up all its probes, or has ended. */
  async leave(): Promise<void> {
    const left = new Promise<void>((resolve) => {
      this.hasLeft = resolve;
    });
    this.send({ to: 'leave' });
    await Promise.race([left, this.ended]);
  }

  /** Idempotent, never rejects. */
  async close(): Promise<void> {
    this.closing = true;
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private async take(message: FromWorker): Promise<void> {
    switch (message.from) {
      case 'ready':
        return this.becomeReady();
      case 'left':
        return this.hasLeft();
      case 'second':
        return this.options.onSecond(message);
      case 'forbidden':
        return this.options.onForbidden?.(message.address);
      case 'renegotiated':
        this.offers.get(message.nth)?.(message.answer);
        this.offers.delete(message.nth);
        return;
      case 'call': {
        const { nth, call } = message;
        // It speaks for its own alone.
        if ('probe' in call && !this.probes.has(call.probe)) return this.broken();
        const reply = await this.options.onCall(call, (line) => this.ownSample(line));
        if (call.call === 'begin' || call.call === 'negotiate' || call.call === 'answered')
          this.send({ to: 'reply', nth, reply });
      }
    }
  }

  /** Throws where it is of a probe that this process does not play, or names a host. */
  private ownSample(line: string): Sample {
    const sample = checkedSampleOfLine(line);
    if (sample.host === undefined && this.probes.has(sample.probe)) return sample;
    throw new Error('this is no sample of its own');
  }

  /** Nothing that it says counts any more: what it reads may have broken into it. */
  private broken(): void {
    this.isBroken = true;
    this.child.kill('SIGKILL');
  }

  private lost(end: ChildEnd): void {
    for (const answer of this.offers.values()) answer(null);
    const why = this.isBroken ? 'what it said cannot be read' : howItEnded(end);
    if (!this.closing) this.options.onLost(why);
  }
}
