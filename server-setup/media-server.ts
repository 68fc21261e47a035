import type { ServerReading } from '../model/evidence.js';
import type { Ask } from '../model/layer.js';
import type { ResetProof } from '../model/reset-proof.js';
import type { ServerFacts } from '../model/run.js';
import type { Leg, Participant, Session } from '../model/scenario.js';
import type { ServerEvent } from '../model/server-event.js';
import type { LegRequest, Negotiated, NegotiationRequest, ProbeOffers, ServerOffers } from '../model/signalling.js';
import type { SignallingTraffic } from '../model/signalling-traffic.js';
import type { RecordingsRecord } from '../model/trial.js';

/**
 * The system under test. Optional abilities are optional members, asked for once at start-up; an absent one
 * becomes a line in the report, never a stub that throws.
 *
 * Every method rejects with a LoadlineError (E_SERVER_UNREACHABLE, E_SERVER_PROTOCOL, E_SERVER_REFUSED,
 * E_SERVER_TIMEOUT, E_SERVER_LOST) and within a bounded time. `stop` is idempotent and never rejects.
 */
export interface MediaServer {
  /** Connects (and for the embedded server: starts it). */
  start(signal: AbortSignal): Promise<ServerFacts>;
  openSession(session: Session, signal: AbortSignal): Promise<ServerSession>;
  /** Releases everything that sessions left behind and proves that the server is clean, or says that nothing can. */
  reset(signal: AbortSignal, how?: ResetHow): Promise<ResetProof>;
  stop(): Promise<void>;
  onEvent(listener: (event: ServerEvent) => void): void;
  /**
   * Of several servers that are one: from here to the next reset each session goes to another of them in turn. Returns
   * after how many all have had one.
   */
  readonly inTurn?: () => number;
  /** Ends it as a crash of its host would, at once. Present where the run started it, or can have it taken away. */
  readonly kill?: () => Promise<void>;
  /** Of several: takes away the one with most sessions. It gets no session any more, and is not called lost. */
  readonly lose?: () => Promise<LostMember>;
  /** What was sent to it and came from it since `start`, all its connections together. */
  readonly traffic?: () => SignallingTraffic | undefined;
  /** One reading of the server's resources. */
  readonly resources?: () => Promise<ServerReading>;
  /** How it is asked beside its own address, for `doctor`. */
  readonly notes?: () => readonly ServerNote[];
  /** Present when the server records what each participant sends. */
  readonly recordings?: Recordings;
}

export interface ServerNote {
  readonly text: string;
  /** What to do about it; absent: it is as it should be. */
  readonly todo?: string;
}

export interface LostMember {
  readonly server: string;
  /** Those that were on it. */
  readonly sessions: readonly string[];
}

export interface Recordings {
  /** Ends all recordings. To be called while participants still send, or the files end before they were ended. */
  stop(): Promise<void>;
  /** Looks at each file recorded since the last call, one at a time, then lets go of them. Rejects when aborted. */
  check(request: CheckRequest, signal: AbortSignal): Promise<RecordingsRecord>;
}

export interface CheckRequest {
  /** Frames per second that each participant sent; of one who is not in it they are not known. */
  readonly sentFps: ReadonlyMap<string, number>;
  /** Where the files are moved to; absent: they are removed. */
  readonly keepIn?: string;
}

export interface ResetHow {
  /** False: a server that is restarted in each reset goes on as it runs. */
  readonly anew?: boolean;
}

export interface SessionLegRequest extends LegRequest {
  /**
   * Resolves when all, or any, whose media comes over the leg have been answered as senders; rejects when the probe is
   * out of time. For servers that have nothing to offer before. What waits here for others is not called the server's,
   * nor is what `connected` waits for: ICE and DTLS of these others, whom some servers name only then.
   */
  readonly sourcesThere: (howMany?: 'all' | 'any', connected?: () => Promise<unknown>) => Promise<void>;
}

export interface ServerSession {
  /** Present where the server may offer, or must speak before the probe does; absent: the probe offers. */
  begin?(request: SessionLegRequest): Promise<ProbeOffers | ServerOffers>;
  /** SDP offer in, answer out, candidates both ways. A rejection is one probe's failure, not the trial's end. */
  join(request: NegotiationRequest): Promise<Negotiated>;
  /**
   * Ends these legs, by their ids, while the session goes on; one that never joined or has ended is passed over.
   * Present where the server takes participants without media, of whom some come and go.
   */
  leave?(legs: readonly string[]): Promise<void>;
  /** What a participant asks for of one picture from now on, of a server whose abilities have `layersChange`. */
  ask?(request: LayerRequest): Promise<void>;
  close(): Promise<void>;
}

/** What a participant asks of the picture of another one that comes over a leg. */
export interface LayerRequest {
  readonly participant: Participant;
  readonly leg: Leg;
  /** Whose picture it is. */
  readonly source: string;
  readonly ask: Ask;
}
