import type { Leg, Participant } from './scenario.js';

/** RTCIceCandidateInit, as both ends trickle it. */
export interface IceCandidate {
  readonly candidate: string;
  readonly sdpMid: string | null;
  readonly sdpMLineIndex: number | null;
}

/** In place of a candidate: there are no further ones (RFC 8840, 4.4). */
export const endOfCandidates: IceCandidate = { candidate: '', sdpMid: null, sdpMLineIndex: 0 };

export interface NegotiationRequest extends Omit<LegRequest, 'renegotiate'> {
  /** The probe's SDP offer. */
  readonly offer: string;
}

export interface Negotiated {
  /** The server's SDP answer. */
  readonly answer: string;
  /** For a leg whose candidates wait for them (`after-the-answer`). */
  readonly iceServers?: readonly IceServer[];
  /** Hands a candidate of the probe to the server. Failures reject and are counted against the probe. */
  addCandidate(candidate: IceCandidate): Promise<void>;
}

/** RTCIceServer. */
export interface IceServer {
  readonly urls: readonly string[];
  readonly username?: string;
  readonly credential?: string;
}

/**
 * When candidates of the probe go to the server: each as it is found; none, because the description waits until it
 * holds them all; or each as it is found, but they are looked for only when the answer has told by which ICE servers.
 */
export type CandidateTiming = 'trickled' | 'in-one-message' | 'after-the-answer';

/** Whose stream a section of an offer carries, by its mid or the stream's name in `a=msid` (RFC 8830). */
export type StreamPlace = { readonly stream: string } & ({ readonly mid: string } | { readonly msid: string });

/** An SDP offer of the server. A section without a place is that of the stream whose id its msid is. */
export interface ServerOffer {
  readonly offer: string;
  readonly places?: readonly StreamPlace[];
  /**
   * Streams whose source has left. Nothing is expected of them until an offer has a section that sends them again. A
   * stream that is not named here stays expected, whatever its section says: a server that drops it is not excused.
   */
  readonly ended?: readonly string[];
}

/** A leg before its first description. */
export interface LegRequest {
  readonly participant: Participant;
  readonly leg: Leg;
  /** Called with each candidate of the server; may be called before `negotiate` has resolved. */
  readonly onCandidate: (candidate: IceCandidate) => void;
  /**
   * A further offer of the server on the same connection, of a source more or a source less; the probe's answer.
   * Rejects when the probe cannot apply it, which is counted against the probe.
   */
  readonly renegotiate: (offer: ServerOffer) => Promise<string>;
  readonly signal: AbortSignal;
}

/** How whoever plays the probe speaks to the media server itself, in place of asking who conducts. */
export interface SpeakYourself {
  /** Of the server: whose `Speaker` it is. */
  readonly kind: string;
  /** For that speaker alone; may hold secrets. */
  readonly words: string;
  /** To be told what was opened. Rejects when it comes too late; then it has ended that. */
  spoke(opened: string): Promise<void>;
}

/**
 * Speaks to servers of one kind where the probes are: an offer in, an answer out. Throws as `Negotiate` does, and what
 * `mayAsk` throws of an address that is not to be asked.
 */
export type Speaker = (words: string, request: NegotiationRequest, mayAsk: (url: string) => void) => Promise<Spoken>;

export interface Spoken extends Negotiated {
  /** For who conducts, who ends it. */
  readonly opened: string;
  /** Ends it, where who conducts could not be told. */
  end(): Promise<void>;
}

/** How long the server had to wait, before it could begin, for others whose pages had not said what they send. */
interface Waited {
  readonly waitedMs?: number;
}

export interface ProbeOffers extends Waited {
  readonly by: 'probe';
  /** Present where the plan says so, and the server can be spoken to from anywhere. */
  readonly speak?: SpeakYourself;
  readonly candidates?: CandidateTiming;
  /** The server takes their end (`endOfCandidates`), too. */
  readonly takesEnd?: true;
  readonly iceServers?: readonly IceServer[];
  /**
   * So long after the answer the probe restarts ICE (RFC 8445, 9) by a further offer, whose candidates all stand in it.
   * It is asked for as the first one was; when it is refused, everything stays as it was.
   */
  readonly restartIceAfterMs?: number;
}

export interface ServerOffers extends ServerOffer, Waited {
  readonly by: 'server';
  readonly candidates?: Exclude<CandidateTiming, 'after-the-answer'>;
  readonly iceServers?: readonly IceServer[];
  /** Takes the probe's SDP answer. */
  answer(answer: string): Promise<void>;
  addCandidate(candidate: IceCandidate): Promise<void>;
}

/** Who makes the first offer of a leg, and what must be known before. */
export type Begin = (request: LegRequest) => Promise<ProbeOffers | ServerOffers>;

/** Offer in, answer out: the shape of WHIP, so that probes do not know which server they talk to. */
export type Negotiate = (request: NegotiationRequest) => Promise<Negotiated>;
