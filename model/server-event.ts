import { proofText, type ResetProof } from './reset-proof.js';
import type { MediaKind } from './scenario.js';

/** What the media server reported an error of. */
export type Failing =
  | { readonly of: 'server' }
  | { readonly of: 'session'; readonly session: string }
  | { readonly of: 'leg'; readonly leg: string }
  | { readonly of: 'recording'; readonly participant: string; readonly leg: string };

/**
 * Something that a media server said, or that happened to it. The adapter of each kind of server translates its own
 * names into these; nobody else knows them. `detail` is the server's own word, for a person to read and for no program.
 */
export type ServerEvent = { readonly atMs: number } & (
  | ({ readonly kind: 'failed'; readonly detail: string } & Failing)
  /** The connection of a leg, in the server's own word for its state. */
  | { readonly kind: 'connection'; readonly leg: string; readonly state: string; readonly was?: string }
  /** Media of a kind begins or ceases to flow between a participant and the server. */
  | {
      readonly kind: 'flow';
      readonly leg: string;
      readonly from: 'participant' | 'server';
      readonly media: MediaKind;
      readonly flows: boolean;
    }
  /** What goes out over a leg is decoded and encoded again by the server, or is handed on as it came. */
  | { readonly kind: 'transcoding'; readonly leg: string; readonly media?: MediaKind; readonly begun: boolean }
  | { readonly kind: 'recording-begun' | 'recording-ended'; readonly leg: string; readonly participant: string }
  /** Nobody can tell how the server is; sessions may live on. */
  | { readonly kind: 'lost'; readonly detail: string }
  /** It answers again, and no session of the trial is lost. */
  | { readonly kind: 'reconnected'; readonly detail: string }
  /** It answers again, and knows no session of before. */
  | { readonly kind: 'sessions-lost'; readonly detail: string }
  /** At its start: sessions of earlier runs, which ended without releasing them. */
  | { readonly kind: 'orphans-released'; readonly sessions: number }
  /** Sessions of others, which were left alone: their load is in every number. */
  | { readonly kind: 'foreign-sessions'; readonly sessions: number }
  | { readonly kind: 'reset'; readonly proof: ResetProof }
  /** Of a cluster: on which server a session is. */
  | { readonly kind: 'placed'; readonly session: string; readonly server: string }
  /** Of a cluster: a server was taken away on purpose, with so many sessions on it. */
  | { readonly kind: 'taken-away'; readonly server: string; readonly sessions: number }
  /** More than is read or kept: which bound, as a sentence part, and how much was dropped so far, if counted. */
  | { readonly kind: 'excess'; readonly detail: string; readonly dropped?: number }
  /** What has no meaning here, by the server's own name for it. */
  | { readonly kind: 'other'; readonly name: string; readonly detail: string; readonly leg?: string }
);

/** Of whom an error is, in front of the server's own words. */
export function failingText(failing: Failing): string {
  switch (failing.of) {
    case 'server':
      return '';
    case 'session':
      return `session ${failing.session}: `;
    case 'leg':
      return `${failing.leg}: `;
    case 'recording':
      return `${failing.leg}: recording of ${failing.participant}: `;
  }
}

/** The name of an event, for a log: that of its kind, and the server's own where it has no other. */
export function serverEventName(event: ServerEvent): string {
  return event.kind === 'other' ? event.name : event.kind;
}

/** One line for a person. Nothing reads it back. */
export function serverEventText(event: ServerEvent): string {
  switch (event.kind) {
    case 'failed':
      return `${failingText(event)}${event.detail}`;
    case 'connection':
      return `${event.leg}: ${event.state}${event.was === undefined ? '' : ` after ${event.was}`}`;
    case 'flow':
      return `${event.leg}: ${event.media} from the ${event.from} ${event.flows ? 'flows' : 'does not flow'}`;
    case 'transcoding':
      return `${event.leg}: ${event.media ?? 'media'} is ${event.begun ? 'transcoded' : 'not transcoded'}`;
    case 'recording-begun':
    case 'recording-ended':
      return `${event.leg}: that of ${event.participant}`;
    case 'lost':
    case 'reconnected':
    case 'sessions-lost':
      return event.detail;
    case 'excess':
      return event.dropped === undefined ? event.detail : `${event.detail} (${event.dropped} dropped)`;
    case 'orphans-released':
      return `${event.sessions} sessions of an earlier run`;
    case 'foreign-sessions':
      return `${event.sessions} sessions of others are on this server and were left alone`;
    case 'placed':
      return `session ${event.session} is on ${event.server}`;
    case 'taken-away':
      return `${event.server} was taken away, with ${event.sessions} sessions on it`;
    case 'reset':
      return proofText(event.proof);
    case 'other':
      return event.leg === undefined ? event.detail : `${event.leg}: ${event.detail}`;
  }
}
