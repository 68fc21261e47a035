const windowMs = 1_000;

/** What may be sent again in a second: at most what may be sent at all, as libwebrtc. */
export class ResentLimit {
  #sent: { readonly atMs: number; readonly bytes: number }[] = [];

  note(bytes: number, nowMs: number): void {
    if (bytes > 0) this.#sent.push({ atMs: nowMs, bytes });
  }

  /** Whether there is room for more, at this rate of all that is sent. */
  allows(bps: number, nowMs: number): boolean {
    const from = this.#sent.findIndex(({ atMs }) => nowMs - atMs <= windowMs);
    this.#sent = from < 0 ? [] : this.#sent.slice(from);
    return this.#sent.reduce((sum, { bytes }) => sum + bytes, 0) * 8 < bps;
  }
}
