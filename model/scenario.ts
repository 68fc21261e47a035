import type { AskedLayer, SentLayer } from './layer.js';
import type { Speech } from './speech.js';
import type { Turns } from './turns.js';
import type { VisitPlan } from './visit.js';

/** What a session looks like, as data. A scenario knows no server, no SDP and no browser. */

export type MediaKind = 'audio' | 'video';
/** What is measured as a stream: messages on a data channel, too. */
export type StreamKind = MediaKind | 'data';
export type Direction = 'send' | 'receive';

/** Another participant, whose media is received. */
export interface MediaSender {
  readonly participant: string;
  /** Absent: the host's own. */
  readonly network?: string;
  /** Which layer of its video is asked for; absent: it has none, or not of it. */
  readonly layer?: AskedLayer;
  /** Its sound is silence, with pauses in place of packets (DTX). */
  readonly muted?: true;
  /** When it speaks, with pauses between; absent: all the time. */
  readonly speech?: Speech;
  /** It is a screen, and no camera. */
  readonly screen?: true;
  readonly data?: number;
}

/** A source of received media: one other participant, or what the server mixed of everybody. */
export type MediaSource = MediaSender | { readonly mix: true };

/** One of several sources whose media comes over the same leg. */
export interface LegSource extends MediaSender {
  readonly kinds: readonly MediaKind[];
  /** Tells the streams of one participant apart, a camera and a screen; absent: the participant's id. */
  readonly stream?: string;
}

/** One RTCPeerConnection of a probe: what goes out over it and whose media must arrive over it. */
export interface Leg {
  /** Unique within the trial, for example `3a` or `3a:from-3b`. */
  readonly id: string;
  readonly sends: readonly MediaKind[];
  /** Of its sent video, the lowest first; absent: it is sent in one. */
  readonly layers?: readonly SentLayer[];
  /** Its sent sound is silence, with pauses in place of packets (DTX). */
  readonly muted?: true;
  /** When its sent sound speaks, with such pauses between; absent: all the time. */
  readonly speech?: Speech;
  /** What it sends is a screen that shows slides, and no camera. */
  readonly screen?: true;
  /** Messages a second that it sends on a data channel; absent: none. */
  readonly data?: number;
  /** The kinds that arrive. With a list of sources, those that any of them has. */
  readonly receives: readonly MediaKind[];
  /**
   * Whose media arrives on this leg; absent when nothing is received, and where it is the server's own. One source has
   * one stream of each kind that is received, and its streams need no name. In a list, each stream has an id, which is
   * the name of its source.
   */
  readonly from?: MediaSource | readonly LegSource[];
}

/** One stream that must arrive on a leg. */
export interface ReceivedStream<Kind extends StreamKind = MediaKind> {
  readonly kind: Kind;
  readonly from?: MediaSource;
  /** Which of the leg's streams of this kind it is; absent where it is the only one. */
  readonly stream?: string;
}

export function receivedStreams({ receives, from }: Leg): readonly ReceivedStream[] {
  if (!isList(from)) return receives.map((kind) => (from ? { kind, from } : { kind }));
  return from.flatMap(({ kinds, ...source }) =>
    kinds.map((kind) => ({ kind, from: sourceOf(source), stream: source.stream ?? source.participant })),
  );
}

/** The messages that must arrive on a leg, by who sends them. */
export function receivedData({ from }: Leg): readonly ReceivedStream<'data'>[] {
  if (!isList(from)) return from && 'data' in from ? [{ kind: 'data', from }] : [];
  return from.flatMap(({ kinds: _, ...one }): readonly ReceivedStream<'data'>[] =>
    one.data === undefined ? [] : [{ kind: 'data', from: sourceOf(one), stream: one.stream ?? one.participant }],
  );
}

/** Those streams that arrive on a leg together with another one of their kind. */
export function streamsAmongSeveral(leg: Leg): readonly ReceivedStream[] {
  const all = receivedStreams(leg);
  return all.filter(({ kind }) => all.filter((other) => other.kind === kind).length > 1);
}

/** Those whose media arrives on a leg, each once. */
export function sourcesOf({ from }: Leg): readonly MediaSource[] {
  return isList(from) ? from.map(sourceOf) : from ? [from] : [];
}

/** Whether the sound that it sends has pauses in place of packets (DTX). */
export const sendsPauses = ({ muted, speech }: Leg): boolean => muted === true || speech !== undefined;

/** Whether any of them sends a picture. */
export const sendPictures = (participants: readonly Participant[]): boolean =>
  participants.some(({ legs }) => legs.some(({ sends }) => sends.includes('video')));

/** Whether the server mixes for this leg, and so decodes what everybody of its session sends. */
export const receivesMix = (leg: Leg): boolean => sourcesOf(leg).some((source) => 'mix' in source);

/** The layer of a video that its receiver asks for; `undefined` where there is none. */
export const layerAsked = ({
  kind,
  from,
}: Pick<ReceivedStream<StreamKind>, 'kind' | 'from'>): AskedLayer | undefined =>
  kind !== 'video' || from === undefined || 'mix' in from ? undefined : from.layer;

/** Whose media it is; `undefined` of a mix, and where nobody in particular is named. */
export const senderOfSource = (source: MediaSource | undefined): string | undefined =>
  source === undefined || 'mix' in source ? undefined : source.participant;

/** The source of a stream that was seen on a leg. */
export function sourceOfStream(leg: Leg, kind: StreamKind, stream: string | undefined): MediaSource | undefined {
  const all = [...receivedStreams(leg), ...receivedData(leg)];
  return all.find((one) => one.kind === kind && one.stream === stream)?.from;
}

/** Words for a stream that must arrive: "video from 3b", "audio of the mix"; with its id if one of several. */
export function receivedName({ kind, from, stream }: ReceivedStream<StreamKind>): string {
  if (from === undefined) return kind;
  if ('mix' in from) return `${kind} of the mix`;
  const which = stream === undefined || stream === from.participant ? '' : ` (${stream})`;
  return `${kind} from ${from.participant}${which}`;
}

const sourceOf = ({ stream: _, ...source }: Omit<LegSource, 'kinds'>): MediaSource => source;

/** `Array.isArray` does not narrow a readonly array. */
const isList = (from: Leg['from']): from is readonly LegSource[] => Array.isArray(from);

/** A member of a session, played by one probe. The probe has the participant's id. */
export interface Participant {
  /** Unique within the trial: session number and letter, for example `3a`. */
  readonly id: string;
  readonly session: string;
  readonly role: string;
  /** The others of its session are there for what it sends. What they lack follows from it (`presenter-starved`). */
  readonly presents?: true;
  /** It stays while others come and go, who are the load, and says what they would see. */
  readonly sentinel?: true;
  /** Name of the network it is on; absent: the host's own. */
  readonly network?: string;
  /** It is a page of a web app, which has connections of its own beside its leg: what it loads, and its signalling. */
  readonly page?: true;
  /** It speaks in turns with the other one of its session; absent: all the time. */
  readonly turns?: Turns;
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
 * `mix` gives every leg one picture and one sound of all members;
 * `mix-sound` gives every leg one sound of all members, where there are no pictures;
 * `answer` gives each leg what the server itself says in return;
 * `own-page` is a web app's own affair: participants open its page, and what it does is observed.
 */
export type SessionShape = 'forward' | 'mix' | 'mix-sound' | 'answer' | 'own-page';

export interface ScenarioUnit {
  readonly one: string;
  readonly many: string;
  /** True where a size is the participants of one session, and not a number of sessions. */
  readonly countsParticipants?: true;
  /** Of a rate ("viewers begun per second"): who come ("viewers"). */
  readonly whoCome?: string;
}

/** The senders of a session in which a size counts viewers. */
export interface Panel {
  readonly presenters: number;
  /** They speak, and show no picture. */
  readonly handsUp: number;
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
  /** The same with so many members in each session; absent where that is no choice. */
  readonly ofMembers?: (members: number) => Scenario;
  /** The same with this panel; absent where that is no choice. */
  readonly ofPanel?: (panel: Panel) => Scenario;
  /** The same in a web app that is visited so; absent where none is. */
  readonly ofVisit?: (visit: VisitPlan) => Scenario;
  /** The sessions of a trial of this size; ids are stable for a given size. */
  sessions(size: number): readonly Session[];
  /** Who comes where a size is how fast people come; absent where that cannot be asked. */
  readonly coming?: Coming;
}

/** Who comes and goes in a trial whose load is how fast people come. */
export interface Coming {
  /** What one is that comes. */
  readonly unit: ScenarioUnit;
  /** Whole sessions, or single members of sessions that stay. Those who present are there before, and stay. */
  readonly who: 'sessions' | 'members';
  /** A newcomer receives from each present, and each of those from the newcomer. Absent: its legs are all. */
  readonly meets?: readonly MediaKind[];
  /** Sessions in which `count` come one after the other, of whom about `atATime` are there at a time. */
  sessions(count: number, atATime: number): readonly Session[];
}

/** The same scenario with each session changed, those of who comes and goes among them. */
export function eachSession(scenario: Scenario, change: (session: Session) => Session): Scenario {
  const { coming } = scenario;
  return {
    ...scenario,
    sessions: (size) => scenario.sessions(size).map(change),
    ...(coming
      ? { coming: { ...coming, sessions: (count, atATime) => coming.sessions(count, atATime).map(change) } }
      : {}),
  };
}

/** Whether a participant sends anything at all. */
export function isSending({ legs }: Pick<Participant, 'legs'>): boolean {
  return legs.some(({ sends }) => sends.length > 0);
}

export function participantsOf(sessions: readonly Session[]): readonly Participant[] {
  return sessions.flatMap((session) => session.participants);
}
