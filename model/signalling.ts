import type { Leg, Participant } from './scenario.js';

/** RTCIceCandidateInit, as both ends trickle it. */
export interface IceCandidate {
  readonly candidate: string;
  readonly sdpMid: string | null;
  readonly sdpMLineIndex: number | null;
}

export interface NegotiationRequest {
  readonly participant: Participant;
  readonly leg: Leg;
  /** The probe's SDP offer. */
  readonly offer: string;
  /** Called with each candidate of the server; may be called before `negotiate` has resolved. */
  readonly onCandidate: (candidate: IceCandidate) => void;
  readonly signal: AbortSignal;
}

export interface Negotiated {
  /** The server's SDP answer. */
  readonly answer: string;
  /** Hands a candidate of the probe to the server. Failures reject and are counted against the probe. */
  addCandidate(candidate: IceCandidate): Promise<void>;
}

/** Offer in, answer out: the shape of WHIP, so that probes do not know which server they talk to. */
export type Negotiate = (request: NegotiationRequest) => Promise<Negotiated>;
