import { setTimeout as sleep } from 'node:timers/promises';
import type { Sample } from '../../model/sample.js';
import { lineOfSample } from '../../model/sample-line.js';
import { type Batch, batchText, type HostMessage, samplesJson } from './host-messages.js';

interface OutboxOptions extends Pick<Batch, 'host' | 'trial'> {
  /** Sends one batch, and rejects where it is not known to have arrived: it is sent again, with the same id. */
  readonly send: (text: string, id: string) => Promise<void>;
  /** No batch may be longer. */
  readonly textBytesMax: number;
  /** What waits for longer than the way is cut may take so much memory; absent: 64 MB. */
  readonly bufferBytesMax?: number;
}

interface Waiting {
  readonly json: string;
  /** Of samples, which stand in lines of their own: what may be let go of. */
  readonly lines: readonly string[];
  readonly bytes: number;
}

const bufferBytes = 64_000_000;
const gatherMs = 200;
const againMs = 250;
const frameBytes = 1000;

/**
 * What a host tells of a trial, on its way: gathered for a moment, numbered, sent one batch after the other until each
 * has arrived. While the way is cut it waits here. When that takes too much memory, the oldest samples are let go of
 * and their number is told; what became of probes is kept in any case.
 */
export class BatchOutbox {
  private readonly options: OutboxOptions;
  private waiting: Waiting[] = [];
  private waitingBytes = 0;
  private dropped = 0;
  private number = 0;
  private sending: Promise<void> | undefined;
  private closed = false;

  constructor(options: OutboxOptions) {
    this.options = options;
  }

  tell(told: HostMessage): void {
    if (this.closed || (told.is === 'samples' && told.samples.length === 0)) return;
    for (const part of this.fitting(told)) this.add(part);
    this.sending ??= this.sendAll();
  }

  /** Resolves when all that was told until now has arrived, or is sent no more. */
  async sent(): Promise<void> {
    await this.sending;
  }

  /** What still waits is not sent. */
  close(): void {
    this.closed = true;
    this.waiting = [];
  }

  private add(one: Waiting): void {
    this.waiting.push(one);
    this.waitingBytes += one.bytes;
    const most = this.options.bufferBytesMax ?? bufferBytes;
    while (this.waitingBytes > most) {
      const oldest = this.waiting.findIndex(({ lines }) => lines.length > 0);
      if (oldest === -1) return;
      const [gone] = this.waiting.splice(oldest, 1);
      this.waitingBytes -= gone?.bytes ?? 0;
      this.dropped += gone?.lines.length ?? 0;
    }
  }

  private async sendAll(): Promise<void> {
    await sleep(gatherMs);
    while ((this.waiting.length > 0 || this.dropped > 0) && !this.closed) {
      this.number += 1;
      const { host, trial } = this.options;
      const text = batchText({ host, trial, number: this.number }, this.taken());
      await this.sendOne(text, `${trial}.${host}.${this.number}`);
    }
    this.sending = undefined;
  }

  /** As many as fit into one batch. */
  private taken(): readonly Waiting[] {
    const parts: Waiting[] = [];
    if (this.dropped > 0) {
      parts.push(written(JSON.stringify({ is: 'dropped', samples: this.dropped } satisfies HostMessage)));
      this.dropped = 0;
    }
    let bytes = frameBytes;
    for (;;) {
      const [next] = this.waiting;
      if (!next || (parts.length > 0 && bytes + next.bytes >= this.options.textBytesMax)) return parts;
      parts.push(next);
      bytes += next.bytes;
      this.waitingBytes -= next.bytes;
      this.waiting.shift();
    }
  }

  private async sendOne(text: string, id: string): Promise<void> {
    while (!this.closed) {
      try {
        await this.options.send(text, id);
        return;
      } catch {
        // Whether it has arrived or not: with the same id it is taken once.
        await sleep(againMs);
      }
    }
  }

  /** In parts that fit into a batch each; what cannot be parted and is too long is told as missing. */
  private fitting(told: HostMessage): readonly Waiting[] {
    const one = told.is === 'samples' ? writtenSamples(told.samples) : written(JSON.stringify(told));
    if (one.bytes + frameBytes < this.options.textBytesMax) return [one];
    const halves = halvesOf(told);
    if (halves.length > 0) return halves.flatMap((half) => this.fitting(half));
    if (told.is === 'samples') {
      this.dropped += told.samples.length;
      return [];
    }
    const text = `What the host had to tell (${told.is}) was too long for the bus: ${one.bytes} bytes.`;
    const { host } = this.options;
    return this.fitting({ is: 'event', event: { type: 'warning', host, atMs: Date.now(), text } });
  }
}

function halvesOf(told: HostMessage): readonly HostMessage[] {
  if (told.is === 'samples' && told.samples.length > 1) {
    const middle = Math.ceil(told.samples.length / 2);
    return [
      { is: 'samples', samples: told.samples.slice(0, middle) },
      { is: 'samples', samples: told.samples.slice(middle) },
    ];
  }
  if (told.is === 'records' && told.records.length > 1) {
    const middle = Math.ceil(told.records.length / 2);
    return [
      { is: 'records', records: told.records.slice(0, middle) },
      { is: 'records', records: told.records.slice(middle) },
    ];
  }
  return [];
}

/** With what stands between it and the next. */
const bytesOf = (text: string) => Buffer.byteLength(text) + 1;

const written = (json: string): Waiting => ({ json, lines: [], bytes: bytesOf(json) });

function writtenSamples(samples: readonly Sample[]): Waiting {
  const json = samplesJson(samples.length);
  const lines = samples.map(lineOfSample);
  return { json, lines, bytes: lines.reduce((sum, line) => sum + bytesOf(line), bytesOf(json)) };
}
