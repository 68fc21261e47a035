import type { Clock } from '../../rtp/egress.js';
import type { RtpPacket } from '../../rtp/rtp.js';
import type { MediaInput, MediaOutput } from '../media/ports.js';
import { MixOutput } from '../mixing/mix-output.js';
import { Repacker } from './repacker.js';

/** What of sound can be parsed; anything else goes on as it came. */
const parsed = 'opus/48000';

/**
 * The sound of one sender as a server that parses it hands it on. The process starts with the first who listens; what
 * comes before it runs is lost, as in a pipeline that is still being built. `close` is idempotent.
 */
export class RepackedOutput implements MediaOutput {
  readonly kind = 'audio';
  readonly #source: MediaOutput;
  readonly #clock: Clock;
  readonly #output = new MixOutput(
    'audio',
    () => {},
    () => this.#begin(),
  );
  readonly #input: MediaInput = {
    kind: 'audio',
    maxKbps: 0,
    receive: (packet, codec, _, nowMs) => this.#take(packet, codec, nowMs),
  };
  readonly #onDead: (detail: string) => void;
  #repacker: Promise<Repacker | undefined> | undefined;
  #running: Repacker | undefined;

  /** `onDead` is called when the process ends by itself or cannot be started: then there is no sound any more. */
  constructor(source: MediaOutput, clock: Clock, onDead: (detail: string) => void) {
    this.#source = source;
    this.#clock = clock;
    this.#onDead = onDead;
  }

  attach(input: MediaInput): void {
    this.#output.attach(input);
  }

  detach(input: MediaInput): void {
    this.#output.detach(input);
  }

  requestKeyFrame(): void {}

  timestampAt(nowMs: number): number | undefined {
    return this.#output.timestampAt(nowMs);
  }

  async close(): Promise<void> {
    this.#source.detach(this.#input);
    await (await this.#repacker)?.close();
  }

  #begin(): void {
    this.#repacker ??= this.#start();
  }

  async #start(): Promise<Repacker | undefined> {
    this.#source.attach(this.#input);
    try {
      this.#running = await Repacker.start((packet) => this.#output.receive(packet, this.#clock.nowMs()), this.#onDead);
    } catch (error) {
      this.#onDead(error instanceof Error ? error.message : String(error));
    }
    return this.#running;
  }

  #take(packet: RtpPacket, codec: string, nowMs: number): void {
    if (codec === parsed) this.#running?.send(packet);
    else this.#output.receive(packet, nowMs, codec);
  }
}
