import { saidBy } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { layerNames } from '../../model/layer.js';
import { type Leg, layerAsked, type Participant, receivedStreams } from '../../model/scenario.js';
import type { Negotiated, NegotiationRequest, ProbeOffers, SpeakYourself } from '../../model/signalling.js';
import type { ServerSession, SessionLegRequest } from '../media-server.js';
import { notNow } from '../session-owner.js';
import { streamOwner } from '../stream-of-leg.js';
import { StreamsSession, type StreamsSessionOptions } from '../streams-session.js';
import type { WhipProtocol } from './credentials.js';
import { type KnownEndpoint, shownAt } from './endpoint.js';
import { filled } from './endpoint-url.js';
import { unspeakable } from './http-request.js';
import { waitMsOf } from './refusals.js';
import { isOfOrigin } from './sent-on.js';
import { readOpened, type SpokenWords } from './spoken.js';
import { chooseLayer } from './whep-layer.js';
import { whipWord } from './whip-flags.js';
import { endAt, WhipResource } from './whip-resource.js';

export type Endpoints = Readonly<Record<WhipProtocol, KnownEndpoint>>;

interface SessionOptions extends StreamsSessionOptions<AnyWhipResource> {
  readonly endpoints: Endpoints;
  /** The hosts of the probes speak to the endpoints themselves. */
  readonly spokenByHosts: boolean;
  /** Names of layers, the lowest first; absent: nobody asks for one. */
  readonly rids?: readonly string[] | undefined;
  /** So long after its answer each probe restarts ICE; absent: none does. */
  readonly restartIceAfterMs?: number | undefined;
  /** Each SDP answer that came here. */
  readonly onAnswer: (answer: string) => void;
}

/** Opened here or by a probe host: it can be ended, as a WhipResource. */
export type AnyWhipResource = Pick<WhipResource, 'way' | 'stream' | 'end'>;

/** One session on a server of WHIP and WHEP: for each leg, what was opened for its offer. */
export class WhipSession extends StreamsSession<SessionOptions, AnyWhipResource> implements ServerSession {
  protected readonly waysInOrder = ['whep', 'whip'] as const;
  #toldOfExtensions = false;

  async begin({ leg, participant, sourcesThere }: SessionLegRequest): Promise<ProbeOffers> {
    const way = wayOf(leg);
    if (way === 'whep') await sourcesThere();
    const { trickles, iceServers } = this.options.endpoints[way];
    const named = {
      ...(iceServers.length > 0 ? { iceServers } : {}),
      ...(this.options.spokenByHosts ? { speak: this.#speak(way, leg, participant) } : {}),
      ...given({ restartIceAfterMs: this.options.restartIceAfterMs }),
    };
    if (!trickles) return { by: 'probe', candidates: 'in-one-message', ...named };
    // Where none was named before the offer, the answer may name some.
    const candidates = iceServers.length > 0 ? 'trickled' : 'after-the-answer';
    return { by: 'probe', candidates, takesEnd: true, ...named };
  }

  async join(request: NegotiationRequest): Promise<Negotiated> {
    const { leg } = request;
    const known = this.options.restartIceAfterMs === undefined ? undefined : this.byLeg.get(leg.id);
    if (known instanceof WhipResource) return this.#restart(known, request);
    const way = wayOf(leg);
    const opened = await this.#open(way, request);
    const { answer, iceServers } = opened;
    const iceUrls = iceServers.flatMap(({ urls }) => urls);
    this.#tellOfUnused(way, iceUrls, leg);
    const rid = this.#layerOf(leg);
    if (rid === undefined) this.#tellOfExtensions(opened, leg);
    else void this.#choose(rid, opened, leg);
    this.#tellOfUnusable([...this.options.endpoints[way].unusable, ...opened.unusable], leg);
    return {
      answer,
      ...(iceServers.length > 0 ? { iceServers } : {}),
      addCandidate: (candidate) => opened.trickle(candidate),
    };
  }

  /** A further offer restarts ICE. What comes of it is told; what the server refuses, it refuses to nobody else. */
  async #restart(opened: WhipResource, { leg, offer }: NegotiationRequest): Promise<Negotiated> {
    const askedAtMs = performance.now();
    try {
      const answer = await opened.restart(offer);
      this.tell(leg, 'ice-restarted', `answered in ${Math.round(performance.now() - askedAtMs)} ms`);
      return { answer, addCandidate: (candidate) => opened.trickle(candidate) };
    } catch (error) {
      this.tell(leg, 'ice-restart-refused', saidBy(error));
      throw error;
    }
  }

  #open(way: WhipProtocol, request: NegotiationRequest): Promise<WhipResource> {
    const { endpoints, streamOf, onOpened, onAnswer } = this.options;
    const stream = streamOf(streamOwner(request.leg, request.participant));
    const open = async () => {
      const opened = await WhipResource.open(endpoints[way], stream, request.offer);
      onOpened(opened);
      onAnswer(opened.answer);
      return opened;
    };
    return this.opened(request, open, waitMsOf);
  }

  /** For one leg: where a host is to go, what it shows there, and what it is to tell. */
  #speak(way: WhipProtocol, leg: Leg, participant: Participant): SpeakYourself {
    const { endpoints, streamOf, streamWithinMs, onOpened, end } = this.options;
    const endpoint = endpoints[way];
    const stream = streamOf(streamOwner(leg, participant));
    const { address, timeoutMs, strict } = endpoint;
    const shown = shownAt(endpoint, stream);
    const words: SpokenWords = given({
      ...{ way, address: filled(address, stream), shown, timeoutMs, streamWithinMs },
      strict,
    });
    return {
      kind: whipWord,
      words: JSON.stringify(words),
      spoke: async (text) => {
        const { url, iceUrls, waited } = readOpened(text);
        assertIsThere(words.address, url);
        const opened = { way, stream, end: () => endAt(endpoint, stream, url) };
        onOpened(opened);
        if (this.isClosed) {
          await end(opened);
          throw notNow(leg);
        }
        this.byLeg.set(leg.id, opened);
        if (waited !== undefined) this.tell(leg, 'waiting', waited);
        this.#tellOfUnused(way, iceUrls, leg);
      },
    };
  }

  /** Candidates had been looked for before it named them. */
  #tellOfUnused(way: WhipProtocol, iceUrls: readonly string[], leg: Leg): void {
    const { trickles, iceServers: before } = this.options.endpoints[way];
    if (iceUrls.length === 0 || before.length > 0 || trickles) return;
    const detail = `named with the answer, after the candidates had gone: ${iceUrls.join(', ')}`;
    this.tell(leg, 'ice-servers-unused', detail);
  }

  #tellOfUnusable(unusable: readonly string[], leg: Leg): void {
    if (unusable.length > 0) this.tell(leg, 'ice-servers-unusable', `Link headers: ${unusable.join(', ')}`);
  }

  /** The rid of the layer that a viewer asks for. */
  #layerOf(leg: Leg): string | undefined {
    const [asked] = receivedStreams(leg).flatMap((one) => layerAsked(one) ?? []);
    return asked && this.options.rids?.[layerNames.indexOf(asked.name)];
  }

  /** What comes of it is told; which layer arrives is judged anyway. Never rejects. */
  async #choose(rid: string, { stream, extensions }: WhipResource, leg: Leg): Promise<void> {
    try {
      await chooseLayer({ endpoint: this.options.endpoints.whep, stream, extensions }, rid);
      this.tell(leg, 'layer-chosen', rid);
    } catch (error) {
      this.tell(leg, 'layer-not-chosen', saidBy(error));
    }
  }

  /** Once in a session. */
  #tellOfExtensions({ extensions }: WhipResource, leg: Leg): void {
    if (extensions.size === 0 || this.#toldOfExtensions) return;
    this.#toldOfExtensions = true;
    const detail = `offered, and not used: ${[...extensions.keys()].join(', ')}. The server chooses what a viewer is sent`;
    this.tell(leg, 'whep-extensions-unused', detail);
  }

  async leave(legs: readonly string[]): Promise<void> {
    await this.end(legs);
  }
}

/** The endpoint's credentials go along when the session ends, and nowhere else. Throws E_SERVER_PROTOCOL. */
function assertIsThere(endpoint: string, session: string | undefined): void {
  if (session === undefined) return;
  if (URL.canParse(session) && isOfOrigin(session, endpoint)) return;
  throw unspeakable(session, `a session of ${endpoint} that a host has opened must be there, too`);
}

/** A connection of WHIP may carry what the server answers, too. */
const wayOf = (leg: Leg): WhipProtocol => (leg.sends.length > 0 ? 'whip' : 'whep');
