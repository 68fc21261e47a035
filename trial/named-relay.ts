import type { LoadlineError } from '../model/errors.js';
import type { Begin, IceServer, LegRequest, Negotiate } from '../model/signalling.js';
import type { NamedRelay } from '../server-setup/turn/turn-relay.js';
import { asLoadlineError } from './trial-end.js';

export interface Signalling {
  readonly begin: Begin;
  readonly negotiate: Negotiate;
}

/**
 * A probe is told one of the ICE servers that the media server names: the one that is to relay it. Where there is none,
 * `onNone` hears why, and the leg is refused.
 */
export function withNamedRelay(
  { begin, negotiate }: Signalling,
  { among }: Pick<NamedRelay, 'among'>,
  onNone: (error: LoadlineError) => void,
): Signalling {
  const told = new Set<string>();
  const tell = ({ leg }: Pick<LegRequest, 'leg'>, servers: readonly IceServer[] = []) => {
    try {
      const iceServers = [among(servers)];
      told.add(leg.id);
      return iceServers;
    } catch (error) {
      onNone(asLoadlineError(error));
      throw error;
    }
  };
  return {
    begin: async (request) => {
      const first = await begin(request);
      const isLater = first.iceServers === undefined && first.candidates === 'after-the-answer';
      return isLater ? first : { ...first, iceServers: tell(request, first.iceServers) };
    },
    negotiate: async (request) => {
      const agreed = await negotiate(request);
      const { answer, iceServers } = agreed;
      return {
        answer,
        ...(told.has(request.leg.id) ? {} : { iceServers: tell(request, iceServers) }),
        addCandidate: (candidate) => agreed.addCandidate(candidate),
      };
    },
  };
}
