import type { ProbeArtifacts } from '../../model/artifacts.js';
import type { ScalabilityMode, VideoCodec } from '../../model/codec.js';
import type { DataChannel } from '../../model/data-messages.js';
import type { VideoRateControl } from '../../model/rate-control.js';
import type { Participant } from '../../model/scenario.js';
import type { IceCandidate, IceServer, ProbeOffers, ServerOffer, ServerOffers } from '../../model/signalling.js';
import type { JoinTimes, ProbeFailure, ProbeFailureCode } from '../../model/trial.js';
import type { LegRoute, RelayWay } from '../../model/turn.js';

/** What Node and a page say to each other: plain data over the browser's own control pipe, no network. */

export interface PageMedia {
  readonly width: number;
  readonly height: number;
  readonly framesPerSecond: number;
  readonly videoKbps: number;
  readonly videoCodec: VideoCodec;
  /** The layers within each stream of a camera; absent: it has one. */
  readonly svc?: { readonly mode: ScalabilityMode } | undefined;
  /** How messages are sent; absent: none are. */
  readonly data?: DataChannel | undefined;
  /** Absent: full probes draw no marks, and read none. */
  readonly drawnMarks?: true | undefined;
}

/** Addresses within the page's own origin. */
export interface EncodedParts {
  /** The page's script, which runs in its worker, too. */
  readonly script: string;
  readonly clip: string;
  /** Sound that no server decodes is sent in packets that cost their receivers least. */
  readonly lightVoice: boolean;
}

/** The raw clips of the fake camera and microphone, to be encoded once. */
export interface EncodeOrder {
  readonly media: PageMedia;
  /** What of its rate is used most, kbit/s, ascending; absent: what caps leave of it. */
  readonly topKbps?: readonly number[];
  /** Of a simulcast. */
  readonly isLayer: boolean;
  readonly camera: string;
  readonly microphone: string;
}

export interface PageSetup {
  readonly media: PageMedia;
  /** Present when this page's probes send and receive media that was encoded before. */
  readonly encoded?: EncodedParts;
  /** This host's clock, by which media and messages are marked. */
  readonly clock: number;
  /** Where in each wall-clock second this page reads its probes, so that pages do not all work at once. */
  readonly tickPhaseMs: number;
  /** False when nobody of this page sends anything: then it opens neither camera nor microphone. */
  readonly sends: boolean;
}

export interface ProbeOrder {
  readonly participant: Participant;
  readonly deadlineMs: number;
  /** The one way to the server; absent: any. */
  readonly relay?: RelayWay;
  /** It compares the pictures that it is shown with those that were sent. */
  readonly sees?: true;
}

/** Functions of the page that Node calls, at `globalThis.loadlinePage`. None waits for the network. */
export interface PageTable {
  /** Opens camera and microphone where they are needed; resolves when frames can flow. */
  warmUp(setup: PageSetup): Promise<void>;
  /** Encodes the raw clip at every rate. Resolves with a packed clip, as base64; needs no `warmUp`. */
  encodeClip(order: EncodeOrder): Promise<string>;
  start(order: ProbeOrder): void;
  candidate(probe: string, leg: string, candidate: IceCandidate): void;
  /** A further offer of the server; `null` when it cannot be applied, of which the page tells by itself. */
  renegotiate(probe: string, leg: string, offer: ServerOffer): Promise<string | null>;
  /** Closes the connections of these alone, and forgets them; no sample of theirs comes after it has resolved. */
  hangUp(probes: readonly string[]): Promise<void>;
  /** Closes every RTCPeerConnection; no sample comes after it has resolved. */
  leave(): Promise<void>;
}

/** How Node answers an offer. `code` is why it could not, in the words of a probe's failure. */
export type NegotiateReply =
  | { readonly ok: true; readonly answer: string; readonly iceServers?: readonly IceServer[] }
  | Refused;

/** What goes to the page of a beginning: what the server can be called for stays in Node. */
export type FirstMove = ProbeOffers | Omit<ServerOffers, 'answer' | 'addCandidate'>;

export type BeginReply = { readonly ok: true; readonly first: FirstMove } | Refused;

/** Whether the server took the probe's answer. */
export type AnsweredReply = { readonly ok: true; readonly taken: true } | Refused;

interface Refused {
  readonly ok: false;
  readonly code: ProbeFailureCode;
  readonly detail: string;
}

/** What a probe was shown, and which picture of the camera's clip it is nearest to. */
export interface Look {
  readonly index: number;
  /** The luma that is compared, as large as in the clip, as base64. */
  readonly received: string;
}

/** How good it is; `null` where this host cannot say, now or later. */
interface LookReply {
  readonly ok: true;
  readonly vmaf: number;
}

export type HostReply = NegotiateReply | BeginReply | AnsweredReply | LookReply;

export type FailureReport = Omit<ProbeFailure, 'probe'>;

/**
 * What the page calls, through the one function `globalThis.loadlineHost`. Only the first four have an answer. Samples
 * are text, a line of JSON each: the browser's driver walks, checks and copies what has a structure, value by value.
 */
export type HostCall =
  | { readonly call: 'begin'; readonly probe: string; readonly leg: string }
  | { readonly call: 'answered'; readonly probe: string; readonly leg: string; readonly answer: string }
  | { readonly call: 'negotiate'; readonly probe: string; readonly leg: string; readonly offer: string }
  | { readonly call: 'look'; readonly probe: string; readonly look: Look }
  | { readonly call: 'candidate'; readonly probe: string; readonly leg: string; readonly candidate: IceCandidate }
  | { readonly call: 'reached'; readonly probe: string; readonly join: JoinTimes }
  | {
      readonly call: 'up';
      readonly probe: string;
      readonly atMs: number;
      readonly join: JoinTimes;
      readonly rates: readonly VideoRateControl[];
    }
  | { readonly call: 'routed'; readonly probe: string; readonly routes: readonly LegRoute[] }
  | { readonly call: 'failed'; readonly probe: string; readonly failure: FailureReport }
  | { readonly call: 'kept'; readonly artifacts: ProbeArtifacts }
  /** One line of JSON each, which is stored as it comes. */
  | { readonly call: 'samples'; readonly samples: string };

export type HostFunction = (call: HostCall) => Promise<HostReply | null>;
