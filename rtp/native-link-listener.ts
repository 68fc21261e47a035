/** What becomes of a link, and what comes over it. */
export interface NativeLinkListener {
  onIceConnected(): void;
  onConnected(): void;
  onFailed(why: string): void;
  onDisconnected(): void;
  /** The packet ends there in the datagram. `atMs`: when it came, by `performance.now()`. */
  onRtp(datagram: Buffer, end: number, atMs: number): void;
  onRtcp(compound: Buffer, atMs: number): void;
}
