import type { ProbeArtifacts } from '../model/artifacts.js';
import type { ProbeHostReading } from '../model/evidence.js';
import type { ArrivedJoin, EndedStay } from '../model/join.js';
import type { Media } from '../model/plan.js';
import type { HostClock, ProbeHost, ProbeHostId } from '../model/probe-host.js';
import type { Sample } from '../model/sample.js';
import type { Leg, Participant } from '../model/scenario.js';
import type { Begin, Negotiate } from '../model/signalling.js';
import type { FleetEvent, ProbeRecord } from '../model/trial.js';
import type { RelayWay } from '../model/turn.js';
import type { GivenStarts } from './schedule.js';
import type { VisitSeat } from './visit-seats.js';

export interface FleetOptions {
  readonly chromiumPath: string;
  readonly media: Media;
  /** Present when probes send and receive media that was encoded before. */
  readonly encoded?: EncodedChoice;
  /** Draws the sentinels: the same for the same trial of a run. Absent: 0. */
  readonly sentinelSeed?: number;
  /** Absolute path of the program that plays probes without a browser; absent: beside this bundle. */
  readonly workerScript?: string;
  /** What the host is called in everything that comes from it; absent: the one host. */
  readonly host?: ProbeHostId;
  /** Its clock, as marks name it; absent: by the name of its kernel. */
  readonly ownClock?: number;
  readonly probesPerPage: number;
  readonly pagesPerBrowser: number;
  /** Words in front of a program's own that start it inside a participant's network. */
  readonly inside?: (network: string) => readonly string[];
  /** Absolute path where the clips of the fake camera and microphone are kept; left out: the user's cache folder. */
  readonly cacheFolder?: string;
  /** Absolute path under which browser profiles live while they are needed; left out: the system's temporary folder. */
  readonly temporaryRoot?: string;
  /** Absolute path of the bundled page code; left out: `page.js` beside the bundle that runs. */
  readonly pageScript?: string;
  /** Forwarded sound that was encoded before: in packets that cost least to decode. Absent: in Chromium's. */
  readonly lightVoice?: true;
  /** A TURN server that all media must pass; absent: any way that ICE finds. */
  readonly relay?: FleetRelay;
  /** Of pages of a web app, what only whoever conducts a trial knows. Present where one is visited on other hosts. */
  readonly pages?: FleetPages;
  /** Where probes may send media to. Processes of probes enforce it; browsers are told of no other candidate. */
  readonly allow?: FleetAllow;
}

interface FleetAllow {
  readonly words: readonly string[];
  /** The media server has an address that these do not name: it asked from there. */
  onForbidden(address: string): void;
}

/** The app, its address and its join script are the host's own: nobody else names them. */
interface FleetPages {
  /** Tells the rooms of this trial from those of others. */
  readonly trial: string;
  readonly block: readonly string[];
  readonly painted: boolean;
  readonly encoded: boolean;
  readonly seats: Readonly<Record<string, VisitSeat>>;
}

interface EncodedChoice {
  /** So many of them (0 to 1) stay full. */
  readonly fullShare: number;
}

export interface FleetRelay {
  accessFor(probe: string): RelayWay;
  /** SHA-256 of the public key (base64) of a certificate that nobody vouches for. */
  readonly trustedKey?: string;
}

/** What a host tells names it, with times of its own clock; a lost host's events have the conductor's times. */
export interface FleetListener {
  /** Called with what probes of a page, or of a native process, read: of each probe once a second. */
  onSamples(samples: readonly Sample[]): void;
  onEvent(event: FleetEvent): void;
  /** Called for the first probes of a trial that fail, with what is kept of each. */
  onArtifacts?(artifacts: ProbeArtifacts): void;
}

export interface JoinOptions {
  readonly pacePerSecond: number;
  /** When each starts, where these are a part of a trial's participants; absent: by the pace. */
  readonly starts?: GivenStarts;
  /**
   * A participant that is not up this long after its own start has failed; when it receives from others who start
   * later, this long after the last of them has.
   */
  readonly deadlineMs: number;
  readonly negotiate: Negotiate;
  /** Present where sessions come when they are due, and leave while others come; absent: all who join stay. */
  readonly arriving?: Arriving;
  /** Asked before the first description of each leg; absent: the probe makes every offer. */
  readonly begin?: Begin;
  /** Asked once the browsers are there: the pace begins when it resolves, for all hosts together. Absent: at once. */
  readonly begins?: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** How those join who come when they are due. */
export type ComingOptions = JoinOptions & Required<Pick<JoinOptions, 'arriving'>>;

/**
 * An open model: who is due is begun, however those before fare. Times are by the conductor's clock. A party is who
 * comes and leaves together: a session, or one member of a session that stays.
 */
export interface Arriving {
  /** The conductor's clock. */
  readonly nowMs: () => number;
  /** When each participant is due. */
  readonly dueMs: (participant: Participant) => number;
  /** Undefined of who does not leave by itself. */
  readonly partyOf: (participant: Participant) => string | undefined;
  /** The connections of who is begun now. */
  readonly legsOf: (participant: Participant) => readonly Leg[];
  /** How long a party stays from when all of it have been answered. Absent: who leaves is told (`Fleet.hangUp`). */
  readonly stayMs?: (party: string) => number;
  /** Aborts when all who are there lose their connections: their stays are over. Absent: that does not happen. */
  readonly lost?: AbortSignal;
  /** Ends what a party has on the server. Rejects when that could not be ended. */
  readonly end: (party: string) => Promise<void>;
  readonly onJoin: (join: ArrivedJoin) => void;
  /** How many of these participants are there at a time by the schedule, with those who change at that moment. */
  readonly atOnce: (among: readonly Participant[]) => number;
  readonly onStay: (stay: EndedStay) => void;
  /** How late a timer of the generator woke, or one of the host that is named. */
  readonly onAsleep: (ms: number, host?: ProbeHostId) => void;
}

/**
 * Where the probes of one trial run: on one host or on many. Failures of probes are events and records, never
 * rejections and never healed. A host that goes away is an event (`host-lost`), and a failure of each of its probes. A
 * fleet serves one trial: browsers start in `join` and end in `close`. One that holds the fleets of several hosts is a
 * fleet, too.
 */
export interface Fleet {
  /**
   * Before the first who comes and goes is due: starts what plays all of them, some of whom may stay to the end.
   * Resolves when they can join, or those of a host have failed because its browsers did not come up; rejects as `join`
   * does. Absent: that takes no time.
   */
  standBy?(participants: readonly Participant[], options: ComingOptions): Promise<void>;
  /**
   * Starts one probe for each participant at the given pace; resolves when each is up or has failed. A browser that
   * does not come up, begun twice, is a failure (`browser-start`) of all probes of its host, none of which is begun
   * then. Rejects only with E_CHROMIUM_START, or when `signal` aborts.
   */
  join(participants: readonly Participant[], options: JoinOptions): Promise<void>;
  /**
   * The hosts that its probes run on, with what is known of their clocks by now: of each before its first sample, from
   * then on as often as it is measured. Complete after `close`, too.
   */
  hosts(): readonly ProbeHost[];
  /**
   * The clock of one of them now, as `hosts` has it: asked for each batch that comes, where telling of all hosts would
   * cost more the more there are. Absent: `hosts` is asked.
   */
  clockOf?(host: ProbeHostId): HostClock | undefined;
  /** The clock that marks name so, the conductor's own included; absent, or undefined: nobody knows it. */
  markedClock?(clock: number): HostClock | undefined;
  /**
   * What is known of each probe now, and on which host it is; complete after `close`, too. A list that was told before
   * comes again only where nothing in it has changed.
   */
  records(): readonly ProbeRecord[];
  /**
   * One reading of each host and of the browsers' process trees there; none of one that has no /proc, or is lost. A
   * host that is slow to answer must not cost the readings of the others.
   */
  readHosts(): Promise<readonly ProbeHostReading[]>;
  /** These leave now, while others come: `outMs` is when they began to. Absent: nobody is told when to leave. */
  hangUp?(probes: readonly string[], outMs: number): Promise<void>;
  /** Hangs up every probe (RTCPeerConnection.close), after which no sample comes. */
  leave(): Promise<void>;
  /** Ends the browsers and removes their profile folders. Idempotent, never rejects. */
  close(): Promise<void>;
}

export type StartFleet = (options: FleetOptions, listener: FleetListener) => Fleet;
