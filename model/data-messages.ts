/** Bytes of one message that a participant sends over its data channel, as large as a line of chat or a position. */
export const messageBytes = 200;
/** A message counts as lost once it is so much later than it was due. */
export const lostAfterMs = 2000;
/** Messages a second of one participant. */
export const messagesRange = { from: 1, to: 100 } as const;

/** How a server has messages sent. */
export interface DataChannel {
  /** The channel has this name. */
  readonly label: string;
  /** Bytes before each message. */
  readonly head: readonly number[];
}

/** Of servers that hand messages on as they come. */
export const plainDataChannel: DataChannel = { label: 'loadline', head: [] };
