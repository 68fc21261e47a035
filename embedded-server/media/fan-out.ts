import type { RtpPacket } from '../../rtp/rtp.js';
import type { MediaInput, MediaOutput } from './ports.js';
import type { FramePacket } from './whole-frames.js';

/** Inputs that one output is attached to, each once, in order of arrival; unwatched ones come last. */
export class FanOut {
  /** Replaced, never changed: who is attached while a packet is handed on gets the next one. */
  #inputs: readonly MediaInput[] = [];

  get inputs(): readonly MediaInput[] {
    return this.#inputs;
  }

  add(input: MediaInput): void {
    if (this.#inputs.includes(input)) return;
    const all = [...this.#inputs, input];
    this.#inputs = [...all.filter((one) => !one.unwatched), ...all.filter((one) => one.unwatched)];
  }

  remove(input: MediaInput): void {
    this.#inputs = this.#inputs.filter((other) => other !== input);
  }

  clear(): void {
    this.#inputs = [];
  }

  handOn(packet: RtpPacket, codec: string, from: MediaOutput, nowMs: number): void {
    for (const input of this.#inputs) input.receive(packet, codec, from, nowMs);
  }

  /** One input after the other, each with all packets. */
  handOnTogether(packets: readonly FramePacket[], from: MediaOutput, nowMs: number): void {
    for (const input of this.#inputs)
      for (const { packet, codec } of packets) input.receive(packet, codec, from, nowMs);
  }
}
