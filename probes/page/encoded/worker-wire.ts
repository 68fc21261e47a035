import type { EncodableCodec } from '../../../model/codec.js';
import type { Marking } from '../frame-mark.js';
import type { MarkFigures } from '../mark-counts.js';
import type { StatsReport } from '../stats-report.js';

/** Messages between page and worker. The worker holds the clip and handles every frame of the page's probes. */

/** Of what has marks; `opus` is all sound. */
export type MarkedCodec = EncodableCodec | 'opus';

export interface StreamOrder {
  readonly stream: string;
  readonly direction: 'send' | 'receive';
  readonly kind: 'audio' | 'video';
  readonly rung: number;
  /** Of sent sound: its packets are those that cost a receiver least. */
  readonly light?: boolean;
  /** Who marks its frames, or of a received stream who is to have marked them; absent where nobody does. */
  readonly marks?: Pick<Marking, 'clock'> & Partial<Marking> & { readonly codec: MarkedCodec };
}

/** What one stream has done since it began. */
export interface StreamCount {
  /** Frames that went on with the clip's data, or the stand-in's, in place of their own, in order. */
  readonly replaced: number;
  /** Frames for which the clip had nothing in order, because a key frame that was asked for had not come. */
  readonly repeated: number;
  readonly keyFrames: number;
  /** Of the last key frame, as it was before it was replaced (received) or after (sent); 0 when none came. */
  readonly width: number;
  readonly height: number;
  /** Of the clip that is sent; 0 for received streams. */
  readonly kbps: number;
  /** Of a received stream, since the report before. */
  readonly marks?: MarkFigures | undefined;
}

export interface WorkerReport {
  /** How late the worker's own timer was at worst since the report before, milliseconds. */
  readonly lateMs: number;
  /** Absent: it has not answered. */
  readonly streams?: StreamCounts;
}

export type StreamCounts = ReadonlyMap<string, StreamCount>;

/** `stream` tells the received streams of a kind apart where a leg has several. */
export const streamId = (
  leg: string,
  direction: StreamOrder['direction'],
  kind: StreamOrder['kind'],
  stream?: string,
): string => [leg, direction, kind, ...(stream === undefined ? [] : [stream])].join('/');

export type ToWorker =
  | { readonly tell: 'load'; readonly clip: string }
  | { readonly tell: 'rung'; readonly stream: string; readonly rung: number }
  | { readonly tell: 'forget'; readonly streams: readonly string[] }
  | { readonly tell: 'report' };

export type FromWorker =
  | { readonly said: 'loaded'; readonly rungsKbps: readonly number[] }
  | { readonly said: 'broken'; readonly why: string }
  | { readonly said: 'key-frame-wanted'; readonly stream: string }
  | { readonly said: 'report'; readonly report: WorkerReport };

/** All that was read of a probe at one time. */
export interface Reading {
  readonly atMs: number;
  readonly reports: readonly StatsReport[];
  /** As the worker told them last; absent: it never did, or there is none. */
  readonly told: StreamCounts | undefined;
}
