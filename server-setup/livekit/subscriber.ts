import { SignalTarget } from '@livekit/protocol';
import { unlessAborted } from '../../host/bounded-wait.js';
import type { ServerOffers } from '../../model/signalling.js';
import { type Following, follow } from './following.js';
import { StreamPlaces } from './stream-places.js';

/**
 * The connection by which a participant receives. The server makes the offer: when the participant comes, and again on
 * the same connection of each track that comes or goes.
 */
export class Subscriber {
  readonly places: StreamPlaces;

  constructor(private readonly options: Following) {
    this.places = new StreamPlaces(options.member, options.request.leg);
  }

  async begin(): Promise<ServerOffers> {
    const { member, request } = this.options;
    const { iceServers } = member;
    member.candidatesOf(SignalTarget.SUBSCRIBER, request.onCandidate);
    const [first] = await member.offers.next(request.signal);
    return {
      by: 'server',
      ...(await this.places.read(first.sdp)),
      ...(iceServers.length === 0 ? {} : { iceServers }),
      answer: async (sdp) => {
        member.answer(first, sdp);
        void follow(this.options, () => this.#next());
      },
      addCandidate: (candidate) => member.trickle(SignalTarget.SUBSCRIBER, candidate),
    };
  }

  /** Further offers, one at a time: the server makes the next one when this one is answered. */
  async #next(): Promise<void> {
    const { member, request, closing } = this.options;
    const [offered] = await member.offers.next(closing);
    const offer = await this.places.read(offered.sdp);
    member.answer(offered, await unlessAborted(closing, request.renegotiate(offer)));
  }
}
