import type { TurnReading } from '../../model/evidence.js';
import type { IceServer } from '../../model/signalling.js';
import type { RelayAccess, RelayWay, TurnFacts, TurnUsage } from '../../model/turn.js';

/**
 * The TURN server of a run. `start` and `open` reject with a LoadlineError (E_TURN_MISSING, E_TURN_START,
 * E_TURN_UNREACHABLE) and within a bounded time.
 */
export interface TurnRelay<Open extends OpenRelay | NamedRelay = OpenRelay | NamedRelay> {
  /** Proves that it gives a relay, and says what it is. */
  start(signal: AbortSignal): Promise<TurnFacts>;
  /** For one trial. One of ours is a new process each time: nothing of an earlier trial is in it. */
  open(options: OpenRelayOptions, signal: AbortSignal): Promise<Open>;
  /** Idempotent, never rejects. */
  stop(): Promise<void>;
}

export interface OpenRelayOptions {
  /** How long credentials are good for. */
  readonly lifetimeMs: number;
  /** Called once when the server went away unasked; the sentence part goes after "the TURN server". */
  readonly onLost: (detail: string) => void;
}

export interface OpenRelay {
  /** What one probe is given. */
  accessFor(probe: string): RelayAccess;
  /** SHA-256 of the public key (base64) that a browser must accept although nobody vouches for it. */
  readonly trustedKey?: string;
  /** Present where its process can be read. */
  readonly resources?: () => Promise<TurnReading>;
  /** Present where it counts. To be asked when the probes have left; waits a moment for the last ones. */
  readonly usage?: () => Promise<TurnUsage>;
  /** Idempotent, never rejects. */
  close(): Promise<void>;
}

/** The media server names its address and credentials to each probe. */
export interface NamedRelay extends Omit<OpenRelay, 'accessFor'> {
  accessFor(probe: string): RelayWay;
  /** Of the ICE servers that it names the one to use. Throws E_TURN_NOT_NAMED. */
  among(servers: readonly IceServer[]): IceServer;
}
