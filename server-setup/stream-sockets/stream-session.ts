import { LoadlineError } from '../../model/errors.js';
import type { Leg } from '../../model/scenario.js';
import type { Negotiated, NegotiationRequest, ProbeOffers, ServerOffers } from '../../model/signalling.js';
import { againAfterMs } from '../await-stream.js';
import type { ServerSession, SessionLegRequest } from '../media-server.js';
import { notNow } from '../session-owner.js';
import { streamOwner } from '../stream-of-leg.js';
import { StreamsSession, type StreamsSessionOptions } from '../streams-session.js';
import { type Doorway, type OpenStream, openStream } from './open-stream.js';
import { isNotThere, type TalkOrder } from './stream-door.js';

interface SessionOptions extends Doorway, StreamsSessionOptions<OpenStream> {
  readonly onEvent: Doorway['onEvent'];
  /** The signalling connection of a leg has ended by itself. */
  readonly onLost: (leg: string, how: string) => void;
}

/** For each leg, a stream on a connection of its own. */
export class StreamSession extends StreamsSession<SessionOptions, OpenStream> implements ServerSession {
  protected readonly waysInOrder = ['view', 'publish'] as const;

  async begin(request: SessionLegRequest): Promise<ProbeOffers | ServerOffers> {
    const { leg, participant, onCandidate, signal, sourcesThere } = request;
    if (leg.sends.length > 0 && leg.receives.length > 0) throw notBothWays(leg);
    if (leg.sends.length === 0) await sourcesThere();
    const { streamOf, onEvent, onOpened, end, onLost } = this.options;
    const order: TalkOrder = {
      way: leg.sends.length > 0 ? 'publish' : 'view',
      stream: streamOf(streamOwner(leg, participant)),
      kinds: leg.sends.length > 0 ? leg.sends : leg.receives,
      onCandidate,
      onComplaint: (detail) => onEvent({ kind: 'failed', of: 'leg', leg: leg.id, atMs: Date.now(), detail }),
      signal,
    };
    const ended = (how: string) => {
      if (this.byLeg.has(leg.id)) onLost(leg.id, how);
    };
    const open = async () => {
      const opened = await openStream(this.options, order, ended);
      onOpened(opened);
      await opened.begin().catch(async (error: unknown) => {
        await end(opened);
        throw error;
      });
      return opened;
    };
    const opened = await this.opened(request, open, (error) => (isNotThere(error) ? againAfterMs : undefined));
    return opened.begin();
  }

  async join({ leg, offer, signal }: NegotiationRequest): Promise<Negotiated> {
    signal.throwIfAborted();
    const talk = this.byLeg.get(leg.id)?.talk;
    if (talk?.take === undefined || this.isClosed) throw notNow(leg);
    return talk.take(offer);
  }
}

function notBothWays({ id }: Leg): LoadlineError {
  return new LoadlineError('E_SERVER_REFUSED', `Leg ${id} sends and receives on one connection.`, {
    where: id,
    why: 'a connection publishes one stream or gives one, never both',
  });
}
