import { type SessionDescription, SignalTarget } from '@livekit/protocol';
import { unlessAborted } from '../../host/bounded-wait.js';
import { LoadlineError } from '../../model/errors.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { LegRequest, ServerOffer, ServerOffers } from '../../model/signalling.js';
import type { Member } from './member.js';
import { type OfferedStream, streamsIn } from './offered-tracks.js';
import { layersAskedBy, settingsOf } from './track-settings.js';

interface SubscriberOptions {
  readonly member: Member;
  readonly request: LegRequest;
  readonly onEvent: (event: ServerEvent) => void;
  /** Aborts when the participant leaves, or its session is closed. */
  readonly closing: AbortSignal;
}

const wordOfLeavingMs = 1000;

/**
 * The connection by which a participant receives. The server makes the offer: when the participant comes, and again on
 * the same connection of each track that comes or goes.
 */
export class Subscriber {
  /** Whose media the last offer had. */
  #offered: readonly string[] = [];
  /** Tracks of which it was told which layer. */
  readonly #asked = new Set<string>();

  constructor(private readonly options: SubscriberOptions) {}

  async begin(): Promise<ServerOffers> {
    const { member, request } = this.options;
    const { iceServers } = member;
    member.candidatesOf(SignalTarget.SUBSCRIBER, request.onCandidate);
    const first = await member.nextOffer(request.signal);
    return {
      by: 'server',
      ...(await this.#read(first)),
      ...(iceServers.length === 0 ? {} : { iceServers }),
      answer: async (sdp) => {
        member.answer(first, sdp);
        void this.#follow();
      },
      addCandidate: (candidate) => member.trickle(SignalTarget.SUBSCRIBER, candidate),
    };
  }

  /** Further offers, one at a time: the server makes the next one when this one is answered. */
  async #follow(): Promise<void> {
    const { member, request, closing } = this.options;
    try {
      for (;;) {
        const offered = await member.nextOffer(closing);
        const offer = await this.#read(offered);
        member.answer(offered, await unlessAborted(closing, request.renegotiate(offer)));
      }
    } catch (error) {
      this.#tell(error);
    }
  }

  /** What is no longer offered is excused only if whoever sent it left, which may be told after the offer. */
  async #read({ sdp }: SessionDescription): Promise<ServerOffer> {
    const { attendance } = this.options.member;
    const offered = streamsIn(sdp);
    this.#askForLayers(offered);
    const places = offered.flatMap(({ mid, sid }) => {
      const stream = attendance.identityOf(sid);
      return stream === undefined ? [] : [{ mid, stream }];
    });
    const streams = [...new Set(places.map(({ stream }) => stream))];
    const gone = this.#offered.filter((one) => !streams.includes(one));
    this.#offered = streams;
    const ended = gone.length === 0 ? [] : await attendance.leftOf(gone, wordOfLeavingMs);
    return { offer: sdp, places, ...(ended.length === 0 ? {} : { ended }) };
  }

  /** Of each track once, before its first packet: the server keeps to it. */
  #askForLayers(offered: readonly OfferedStream[]): void {
    const { member, request } = this.options;
    for (const [participant, layer] of layersAskedBy(request.leg)) {
      const theirs = offered.filter(({ sid }) => member.attendance.identityOf(sid) === participant);
      const fresh = theirs.filter(({ trackSid }) => !this.#asked.has(trackSid));
      for (const { trackSid } of fresh) this.#asked.add(trackSid);
      const settings = settingsOf(fresh, layer);
      if (settings) member.set(settings);
    }
  }

  /** What is missing because of it is missed by the probe, whose failure it is; here it is said why. */
  #tell(error: unknown): void {
    const { closing, onEvent, request } = this.options;
    if (closing.aborted) return;
    const detail = error instanceof LoadlineError ? `${error.message} ${error.why ?? ''}`.trim() : String(error);
    onEvent({ kind: 'failed', of: 'leg', leg: request.leg.id, atMs: Date.now(), detail });
  }
}
