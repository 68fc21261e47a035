import type { SentLayer } from '../../model/layer.js';
import { type ListingOptions, listingDefaults } from '../listing-server.js';
import type { Tokens } from './access-token.js';
import type { Connections } from './livekit-flags.js';

export interface LiveKitOptions extends ListingOptions {
  /** Throws where nothing makes them. */
  readonly tokens: () => Tokens;
  /** What senders say of their picture when they announce it. */
  readonly picture: Picture;
  /** How many connections of media each participant has. Default two. */
  readonly connections?: Connections;
  /** Who is called into rooms in which an agent is to answer. Absent: whom the server sends. */
  readonly agent?: string;
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
export const liveKitDefaults = { ...listingDefaults, connections: 'two' as Connections };

export type Settings = LiveKitOptions & typeof liveKitDefaults;
