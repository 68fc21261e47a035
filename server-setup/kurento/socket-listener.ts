import type { ObjectEvent } from './frame.js';

/** What a connection to a Kurento tells. */
export interface SocketListener {
  /** Of signalling: whatever is said, but for what is asked of the server as a whole. */
  onText(text: string, way: 'asked' | 'received'): void;
  onEvent(event: ObjectEvent): void;
  onLost(detail: string): void;
  /** The server knows the session still: objects live on. Otherwise they are gone. */
  onReconnected(sameSession: boolean): void;
  onUnreadable(shown: string): void;
  /** It sent more than is read of one: a sentence part. Where the connection was ended for it, `onLost` follows. */
  onExcess(bound: string): void;
  /** A reply that came after its time, to a request whose outcome was `timeout`. */
  onLateReply(method: string, value: unknown): void;
}
