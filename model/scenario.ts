/** What a session looks like, as data. A scenario knows no server, no SDP and no browser. */

export type MediaKind = 'audio' | 'video';
export type Direction = 'send' | 'receive';

/** A source of received media: one other participant, or what the server mixed of everybody. */
export type MediaSource =
  | { readonly participant: string /** Absent: the host's own. */; readonly network?: string }
  | { readonly mix: true };

/** One RTCPeerConnection of a probe: what goes out over it and the one source whose media must arrive over it. */
export interface Leg {
  /** Unique within the trial, for example `3a` or `3a:from-3b`. */
  readonly id: string;
  readonly sends: readonly MediaKind[];
  readonly receives: readonly MediaKind[];
  /** Whose media arrives on this leg; absent when nothing is received. */
  readonly from?: MediaSource;
}

/** A member of a session, played by one probe. The probe has the participant's id. */
export interface Participant {
  /** Unique within the trial: session number and letter, for example `3a`. */
  readonly id: string;
  readonly session: string;
  readonly role: string;
  /** Name of the network it is on; absent: the host's own. */
  readonly network?: string;
  readonly legs: readonly Leg[];
}

/** One call, one room, one broadcast. `shape` tells the media server how to wire it. */
export interface Session {
  readonly id: string;
  readonly shape: SessionShape;
  readonly participants: readonly Participant[];
}

/**
 * How the server wires the legs of a session:
 * `forward` hands each source's media untouched to the legs that receive it;
 * `mix` gives every leg one picture and one sound of all members.
 */
export type SessionShape = 'forward' | 'mix';

export interface ScenarioUnit {
  readonly one: string;
  readonly many: string;
}

export interface Scenario {
  readonly name: string;
  /** What `size` counts. */
  readonly unit: ScenarioUnit;
  /** One line for `--help` and the plan. */
  readonly summary: string;
  /** The size of the baseline trial, the smallest that is a whole session. */
  readonly baselineSize: number;
  /** True where the server records what participants send unless the plan says otherwise. */
  readonly recorded?: boolean;
  /** The sessions of a trial of this size; ids are stable for a given size. */
  sessions(size: number): readonly Session[];
}

export function participantsOf(sessions: readonly Session[]): readonly Participant[] {
  return sessions.flatMap((session) => session.participants);
}
