import type { ServerEvent } from '../../model/server-event.js';
import type { Negotiated, NegotiationRequest } from '../../model/signalling.js';
import { handOn } from './handle-events.js';
import type { Handle, JanusCalls } from './janus-calls.js';

interface PublisherOptions {
  readonly calls: JanusCalls;
  readonly handle: Handle;
  readonly room: number;
  /** Its number in the room, by which others subscribe to it. */
  readonly feed: number;
  /** The base of the names of the files that what it sends is recorded in; absent: nothing is. */
  readonly recordInto: string | undefined;
  readonly onEvent: (event: ServerEvent) => void;
  /** It is connected: from here on others can subscribe to it. */
  readonly onUp: () => void;
  /** It closed its connection itself. */
  readonly onLeft: () => void;
}

/** What Janus says of a peer that closes: DTLS tells it (RFC 8446, close_notify). ICE failure is another reason. */
const closedByPeer = 'DTLS alert';

/** The connection by which a participant publishes: it offers, and joins the room with its offer. */
export async function publish(options: PublisherOptions, request: NegotiationRequest): Promise<Negotiated> {
  const { calls, handle, room, feed, recordInto, onEvent, onUp, onLeft } = options;
  // From the first packet on: pictures of a recording that begins later cannot be decoded before the next key frame.
  const recording = recordInto === undefined ? {} : { record: true, filename: recordInto };
  const { participant, leg, onCandidate, signal } = request;
  calls.listen(handle, (frame) => {
    if (frame.janus === 'webrtcup') onUp();
    if (frame.janus === 'hangup' && frame.reason === closedByPeer) onLeft();
    handOn(frame, leg.id, { onCandidate, onEvent });
  });
  const frame = await calls.message(
    handle,
    { request: 'joinandconfigure', ptype: 'publisher', room, id: feed, display: participant.id, ...recording },
    { jsep: { type: 'offer', sdp: request.offer }, signal },
  );
  return calls.negotiated(handle, frame, 'somebody who publishes', signal);
}
