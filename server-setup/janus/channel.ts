/** How frames go to Janus and come from it. */
export interface Channel {
  /** Never throws: what is lost, `onLost` tells. Returns what went out, over HTTP the body; undefined: nothing. */
  send(frame: OutgoingFrame): string | undefined;
  /** Idempotent; takes no longer than a moment. `onLost` is not called for it. */
  close(): Promise<void>;
}

export interface OutgoingFrame {
  readonly janus: string;
  readonly transaction: string;
  readonly session_id?: number;
  readonly handle_id?: number;
  readonly [field: string]: unknown;
}

export interface ChannelListener {
  onText(text: string): void;
  /** The way to Janus is gone, for good. */
  onLost(detail: string): void;
}

export type OpenChannel = (listener: ChannelListener, signal: AbortSignal) => Promise<Channel>;
