/** Where a browser's NTP clock stands against the server's: the least delayed sender report tells best. */
export class ClockOffset {
  #offsetMs: number | undefined;

  /** Notes a report of `ntpMs` (the browser's clock) that arrived at `nowMs` (the server's). */
  note(ntpMs: number, nowMs: number): void {
    const offsetMs = nowMs - ntpMs;
    this.#offsetMs = this.#offsetMs === undefined ? offsetMs : Math.min(this.#offsetMs, offsetMs);
  }

  /** The browser's time at the server's `nowMs`. One offset for all its streams keeps them in step (lip sync). */
  remoteTimeAt(nowMs: number): number | undefined {
    return this.#offsetMs === undefined ? undefined : nowMs - this.#offsetMs;
  }
}
