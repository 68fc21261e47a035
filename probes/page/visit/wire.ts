import type { LegSample, StreamSample } from '../../../model/sample.js';
import type { Direction, MediaKind } from '../../../model/scenario.js';
import type { LegRoute, RelayWay } from '../../../model/turn.js';

/** What the page code of a visited page is told before it runs. */
export interface VisitSettings {
  /** At which part of the second it reads, milliseconds: pages of one host take turns. */
  readonly phaseMs: number;
  /** The one way that media of the page may go, whatever ICE servers the app names; absent: any. */
  readonly relay?: RelayWay;
  /** Present where nobody else plays what is received: the page has no interface. */
  readonly plays?: true;
  /** The bundled code of the worker by which pictures are neither decoded nor encoded; absent: they are. */
  readonly pictures?: string;
  /** The function by which it tells what it saw; it takes it away from the page before the app's own code runs. */
  readonly binding: string;
}

/** One media stream of a connection, named by its media section (mid, RFC 9143). */
export interface StreamSeen {
  readonly direction: Direction;
  readonly kind: MediaKind;
  readonly mid: string;
  /** Received video: a frame was decoded; received audio: a packet came; sent: a byte went out. */
  readonly arrived: boolean;
  /** False where the app has ended it or turned it off, by direction of the section or end of the track. */
  readonly wanted: boolean;
  /** Absent between two readings. */
  readonly sample?: StreamSample;
}

/** One RTCPeerConnection that the app made. Times are epoch milliseconds; absent: it has not come so far. */
export interface ConnectionSeen {
  /** Unique in its frame. */
  readonly id: string;
  readonly connectionState: string;
  readonly iceState: string;
  readonly answeredMs?: number;
  readonly iceConnectedMs?: number;
  readonly dtlsConnectedMs?: number;
  /** What getStats calls the time of its figures; absent: it has none yet. */
  readonly readMs?: number;
  readonly leg: LegSample;
  /** Absent: getStats does not say. */
  readonly route?: LegRoute;
  readonly streams: readonly StreamSeen[];
}

/** What one frame of the page saw of all its connections. */
export interface FrameReading {
  /** Another one for each document, so that a reload shows. */
  readonly frame: string;
  /** Whose connections they are, where several join by a library in one document; else absent. */
  readonly of?: string;
  readonly isTop: boolean;
  /** When it was due, epoch milliseconds: the same for all frames of a page in one second. */
  readonly dueMs: number;
  readonly lateMs: number;
  /** The time of the reading as getStats has it, epoch milliseconds: under load it is told of long after. */
  readonly atMs: number;
  /** End of the whole reading before, from which this one is measured; absent: it is the document's first. */
  readonly sinceMs?: number;
  /** False: looked at between two readings, while it joins; then nothing has a sample. */
  readonly isWhole: boolean;
  readonly connections: readonly ConnectionSeen[];
  /** Why pictures cost what they always do, where they should not. */
  readonly unspared: readonly string[];
}

/** How soon to look again. */
export type NextLook = 'soon' | 'each-second';
