import { setTimeout as sleep } from 'node:timers/promises';
import type { SeriesPoints } from '../series/series-points.js';
import type { DataPoint } from './data-point.js';
import type { PointAccount, PointSink, PointTarget, WriteOutcome } from './point-sink.js';

export interface SenderOptions {
  /** Told once when sending fails, and once when it works again. */
  readonly onTrouble: (text: string) => void;
  /** Characters that may wait; the oldest points go first. */
  readonly roomCharacters?: number;
  readonly batchPoints?: number;
  /** The longest a point waits for others, milliseconds. */
  readonly gatherMs?: number;
  /** The pause after a failure, doubled each time up to the longest, milliseconds. */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
  /** How long nothing may be written before the rest is given up, milliseconds. Without it: not before `close`. */
  readonly patienceMs?: number;
  /** The same, once `close` was called. */
  readonly closingPatienceMs?: number;
}

const defaults = {
  roomCharacters: 64 * 1024 * 1024,
  batchPoints: 5000,
  gatherMs: 1000,
  firstPauseMs: 250,
  longestPauseMs: 15_000,
  patienceMs: Number.POSITIVE_INFINITY,
  closingPatienceMs: 10_000,
};
const batchCharacters = 1024 * 1024;
const longestRequestMs = 10_000;
const shortestRequestMs = 1000;

/**
 * Sends points in the order given, one request at a time, until each is written, refused or given up. They wait as the
 * target writes them, so that what they take of memory is known.
 */
export class PointSender implements PointSink {
  private readonly options: Required<SenderOptions>;
  private readonly queue: TextQueue;
  private readonly closing = new AbortController();
  private loop: Promise<void> | undefined;
  private inFlight = 0;
  private counts = { given: 0, written: 0, resent: 0, lost: 0 };
  private lastGoodMs = 0;
  private inTrouble = false;
  private refusal: string | undefined;
  private gaveUp = false;
  private waiters: (() => void)[] = [];

  constructor(
    private readonly target: PointTarget,
    options: SenderOptions,
    /** For a target that holds series of numbers. */
    private readonly series?: SeriesPoints,
  ) {
    this.options = { ...defaults, ...options };
    this.queue = new TextQueue(this.options.roomCharacters);
  }

  get description(): string {
    return this.target.description;
  }

  get account(): PointAccount {
    return { ...this.counts };
  }

  get refused(): string | undefined {
    return this.refusal;
  }

  get remark(): string | undefined {
    return this.series?.remark;
  }

  add(points: readonly DataPoint[]): void {
    this.wait(this.series?.of(points) ?? points);
  }

  private wait(points: readonly DataPoint[]): void {
    const encoded = points.flatMap((point) => this.target.encode(point) ?? []);
    if (encoded.length === 0) return;
    this.counts.given += encoded.length;
    if (this.gaveUp) {
      this.counts.lost += encoded.length;
      return;
    }
    this.counts.lost += this.queue.add(encoded);
    this.loop ??= this.run();
  }

  async room(waiting = 20_000): Promise<void> {
    while (this.queue.length + this.inFlight > waiting)
      await new Promise<void>((resolve) => this.waiters.push(resolve));
  }

  async close(): Promise<void> {
    if (!this.closing.signal.aborted) {
      this.wait(this.series?.rest() ?? []);
      this.lastGoodMs = Date.now();
      this.closing.abort();
    }
    await this.loop;
  }

  private async run(): Promise<void> {
    this.lastGoodMs = Date.now();
    const { batchPoints, gatherMs } = this.options;
    if (this.queue.length < batchPoints) await this.pause(gatherMs);
    while (this.queue.length > 0) {
      await this.deliver(this.queue.take(batchPoints, batchCharacters));
      for (const wake of this.waiters.splice(0)) wake();
    }
    this.loop = undefined;
  }

  private async deliver(batch: readonly string[]): Promise<void> {
    this.inFlight = batch.length;
    let pauseMs = this.options.firstPauseMs;
    for (let tries = 1; ; tries += 1) {
      const outcome = await this.attempt(batch);
      if (outcome.kind !== 'failed') {
        this.settle(batch.length, outcome, tries);
        break;
      }
      this.tellTrouble(outcome.why);
      if (this.isOutOfPatience()) {
        this.giveUp(batch.length, outcome.why);
        break;
      }
      await this.pause(Math.min(outcome.retryAfterMs ?? pauseMs, this.patienceLeftMs()));
      pauseMs = Math.min(2 * pauseMs, this.options.longestPauseMs);
    }
    this.inFlight = 0;
  }

  private attempt(batch: readonly string[]): Promise<WriteOutcome> {
    return this.target.write(batch, Math.min(longestRequestMs, Math.max(shortestRequestMs, this.patienceLeftMs())));
  }

  private settle(points: number, outcome: Exclude<WriteOutcome, { kind: 'failed' }>, tries: number): void {
    const lost = outcome.kind === 'refused' ? outcome.lost : 0;
    this.counts.lost += lost;
    this.counts.written += points - lost;
    if (tries > 1) this.counts.resent += points - lost;
    this.lastGoodMs = Date.now();
    if (outcome.kind === 'taken') {
      if (this.inTrouble) this.options.onTrouble('takes points again; what was kept is being sent.');
      this.inTrouble = false;
      return;
    }
    if (this.refusal === undefined) this.options.onTrouble(`refuses points: ${outcome.why}`);
    this.refusal ??= outcome.why;
  }

  private tellTrouble(why: string): void {
    if (!this.inTrouble) this.options.onTrouble(`does not take points (${why}); they are kept and sent again.`);
    this.inTrouble = true;
  }

  /** What was told before, that points wait, holds no more. */
  private giveUp(inFlight: number, why: string): void {
    const rest = this.queue.take(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY).length;
    this.counts.lost += inFlight + rest;
    this.gaveUp = true;
    this.options.onTrouble(`did not take points for too long (${why}); those that waited are given up.`);
  }

  private patienceLeftMs(): number {
    const { patienceMs, closingPatienceMs } = this.options;
    const patience = this.closing.signal.aborted ? Math.min(patienceMs, closingPatienceMs) : patienceMs;
    return Math.max(0, patience - (Date.now() - this.lastGoodMs));
  }

  private isOutOfPatience(): boolean {
    return this.patienceLeftMs() <= 0;
  }

  /** Cut short when the sender is asked to close. */
  private async pause(ms: number): Promise<void> {
    if (this.closing.signal.aborted) await sleep(Math.min(ms, this.options.firstPauseMs));
    else await sleep(ms, undefined, { signal: this.closing.signal }).catch(() => undefined);
  }
}

/** Points as they will be sent, waiting, oldest first, in bounded memory: when there is no room the oldest go. */
class TextQueue {
  private texts: string[] = [];
  private head = 0;
  private characters = 0;

  constructor(private readonly mostCharacters: number) {}

  get length(): number {
    return this.texts.length - this.head;
  }

  /** How many of the oldest had to go. */
  add(texts: readonly string[]): number {
    for (const text of texts) {
      this.texts.push(text);
      this.characters += text.length;
    }
    let gone = 0;
    while (this.characters > this.mostCharacters && this.length > 0) {
      this.shift();
      gone += 1;
    }
    return gone;
  }

  take(most: number, mostCharacters: number): readonly string[] {
    const taken: string[] = [];
    let characters = 0;
    while (this.length > 0 && taken.length < most && characters < mostCharacters) {
      const text = this.shift();
      taken.push(text);
      characters += text.length;
    }
    return taken;
  }

  private shift(): string {
    const text = this.texts[this.head] ?? '';
    this.head += 1;
    this.characters -= text.length;
    // Moving the rest now and then, not each time.
    if (this.head > 10_000 && this.head * 2 > this.texts.length) {
      this.texts = this.texts.slice(this.head);
      this.head = 0;
    }
    return text;
  }
}
