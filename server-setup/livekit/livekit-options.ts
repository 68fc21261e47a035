import type { SentLayer } from '../../model/layer.js';
import type { Tokens } from './access-token.js';
import type { Connections } from './livekit-flags.js';

export interface LiveKitOptions {
  /** `livekit://host:7880`. */
  readonly url: string;
  /** Throws where nothing makes them. */
  readonly tokens: () => Tokens;
  /** What senders say of their picture when they announce it. */
  readonly picture: Picture;
  /** How many connections of media each participant has. Default two. */
  readonly connections?: Connections;
  /** Who is called into rooms in which an agent is to answer. Absent: whom the server sends. */
  readonly agent?: string;
  /** Which process of this host it is, as of `namedProcess`; absent: found by its port. */
  readonly process?: string;
  /** How long any one request may take. Default 10 s. */
  readonly requestTimeoutMs?: number;
  /** How long connecting may take. Default 4 s. */
  readonly connectTimeoutMs?: number;
  /** How long a reset may take. Default 10 s. */
  readonly cleanWithinMs?: number;
  /** How long its CPU may take to come to rest in a reset. Default 15 s. */
  readonly idleWithinMs?: number;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly videoKbps: number;
  /** Lower case: "vp8". */
  readonly codec: string;
  /** The lowest first, each a stream or all within one. Absent: it has one. */
  readonly layers?: readonly SentLayer[];
}

/** What holds where nothing else is said. */
export const liveKitDefaults = {
  connections: 'two' as Connections,
  requestTimeoutMs: 10_000,
  connectTimeoutMs: 4000,
  cleanWithinMs: 10_000,
  idleWithinMs: 15_000,
};

export type Settings = LiveKitOptions & typeof liveKitDefaults;
