import type { ProbeHostReading } from '../model/evidence.js';
import type { Participant } from '../model/scenario.js';
import type { ProbeFailureCode } from '../model/trial.js';
import type { Arriving, FleetOptions, JoinOptions } from './fleet.js';
import type { OwnHost } from './ledger/own-host.js';
import type { ProbePlace } from './ledger/place.js';
import type { ProbeLedger } from './ledger/probe-ledger.js';
import type { HostCall, HostReply, ProbeOrder } from './page/wire.js';
import type { ProbeStart } from './schedule.js';

/**
 * What plays the participants of one trial on this host: pages of browsers, or processes. Each has a place of its own
 * while it is there, and tells the ledger what becomes of it.
 */
export interface Player {
  /** Starts what plays. Why it did not come up; undefined when it did. */
  launch(): Promise<string | undefined>;
  /** The processes that count as probes. */
  roots(): ReadonlySet<number>;
  /** When each is to start; absent: by the pace, each after those whose media it receives. */
  starts?(pacePerSecond: number): readonly ProbeStart[];
  /** Where this one is played from now on, once for each. */
  seat(participant: Participant): ProbePlace;
  start(order: ProbeOrder): void;
  fail(probe: string, code: ProbeFailureCode, why: string): void;
  /**
   * Said of a probe that is neither up nor has failed 3 s after its deadline; absent: the player tells of each in time.
   */
  readonly silence?: string;
  /**
   * Closes the connections of these, whose places are free then. Never rejects; absent: nobody leaves before the
   * others.
   */
  hangUp?(probes: readonly string[]): Promise<void>;
  /** What it read beside the host since this was asked last. */
  read?(): Partial<ProbeHostReading>;
  /** Hangs up all. */
  leave(): Promise<void>;
  /** Ends everything that was started. Idempotent, never rejects. */
  close(): Promise<void>;
}

/** What a player is made for, and who is told what comes of it. */
export interface PlayerOrder {
  readonly options: FleetOptions;
  readonly participants: readonly Participant[];
  /** Present where they come and go. */
  readonly arriving?: Arriving;
  /** Whether this one stays to the end. */
  readonly stays: (participant: Participant) => boolean;
  readonly joining: Pick<JoinOptions, 'negotiate' | 'begin' | 'signal'>;
  readonly ledger: ProbeLedger;
  readonly host: OwnHost;
  /** Hears each call before it is answered; what it returns hears the answer. */
  readonly hears: (call: HostCall) => (reply: HostReply | null) => void;
  /** When all have left, what ends is no loss. */
  readonly haveLeft: () => boolean;
}

/** Starts nothing that has to be closed before it resolves. Rejects with E_CHROMIUM_START. */
export type OpenPlayer = (order: PlayerOrder) => Promise<Player>;
