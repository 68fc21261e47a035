import { LoadlineError } from '../../model/errors.js';
import type { MediaKind } from '../../model/scenario.js';
import type { IceCandidate, Negotiated, ProbeOffers, ServerOffers } from '../../model/signalling.js';
import type { Ending } from '../ended-streams.js';
import type { Expected } from '../sockets/open-socket.js';
import type { MessageSocket } from './message-socket.js';

/** What a connection does with its stream. */
export type Way = 'publish' | 'view';

export interface TalkOrder {
  readonly way: Way;
  readonly stream: string;
  readonly kinds: readonly MediaKind[];
  readonly onCandidate: (candidate: IceCandidate) => void;
  /** What the server says against the stream when nobody waits for its word; a sentence part. */
  readonly onComplaint: (detail: string) => void;
  readonly signal: AbortSignal;
}

/** The signalling of one stream over a connection of its own. */
export interface Talk {
  /** Instead of all else: rejects where what answers is another server, or one that takes no stream. */
  prove(): Promise<unknown>;
  /** Up to who makes the offer. Rejects with StreamRefusal, and as a MessageSocket does. */
  begin(): Promise<ProbeOffers | ServerOffers>;
  /** The probe's offer, where the probe makes it. */
  take?(offer: string): Promise<Negotiated>;
  /** Has the server end the stream; the connection is closed afterwards. Never rejects. */
  end(): Promise<Ending>;
}

/** A kind of server that knows streams by name and signals each over a WebSocket. */
export interface StreamDoor {
  readonly expected: Expected;
  urlOf(way: Way, stream: string): string;
  talk(socket: MessageSocket, order: TalkOrder): Talk;
}

/** A no of the server. */
export class StreamRefusal extends LoadlineError {
  readonly isNotThere: boolean;

  /** @param isNotThere the stream is not there, or not yet */
  constructor(what: string, parts: ConstructorParameters<typeof LoadlineError>[2], isNotThere = false) {
    super('E_SERVER_REFUSED', what, parts);
    this.isNotThere = isNotThere;
  }
}

export const isNotThere = (error: unknown): boolean => error instanceof StreamRefusal && error.isNotThere;
