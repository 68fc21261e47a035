import type { VideoCodec } from './codec.js';
import type { DataChannel } from './data-messages.js';
import type { ProofOfReset } from './reset-proof.js';
import type { SessionShape } from './scenario.js';

/** A server of the field, one that is there to try this tool with, or one that exists in numbers only. */
export type ServerNature = 'product' | 'for-trying' | 'simulated';

/** What servers of one kind can do. Declared once, where the kind is; a run carries it in its manifest. */
export interface ServerAbilities {
  /** The shapes of session that it carries. */
  readonly shapes: readonly SessionShape[];
  /** Frames per second of a picture that it mixes; absent: it mixes none, or at the pace of the cameras. */
  readonly mixedFps?: number;
  /** Whether one connection carries several streams of a kind. */
  readonly severalStreams: boolean;
  /** Forwarded payloads leave byte for byte as they came. Absent: unknown, or media is parsed and packed anew. */
  readonly passesPayloads?: true;
  /** Whether it records what participants send. */
  readonly records: boolean;
  /** Whether its CPU and memory can be had. */
  readonly tellsResources: boolean;
  /** How a reset shows that nothing of an earlier trial is left. */
  readonly reset: ProofOfReset;
  /** Participants that send no media are answered as others are where they offer. Absent: not so. */
  readonly signalsAlone?: true;
  /**
   * What a participant receives can be had only once its source sends media: without media, only what sends is joined.
   * `on-some`: servers of the kind differ, so that the others are joined only where somebody says so. Absent: not so.
   */
  readonly receivesNeedMedia?: true | 'on-some';
  /** What it calls the three layers of a sent video (RFC 8851), the lowest first. Absent: it takes one layer. */
  readonly simulcastRids?: readonly [low: string, middle: string, high: string];
  /** The codecs of which it hands on the spatial layers of one stream that a receiver asks for. Absent: of none. */
  readonly spatialLayersOf?: readonly VideoCodec[];
  /** A receiver may ask for another of them at any time, and for none. Absent: not so. */
  readonly layersChange?: true;
  /** How messages on data channels go to whoever receives the media of their sender. Absent: not so, or not tried. */
  readonly dataChannels?: DataChannel;
  /** Whether probes may reach it through a TURN server. */
  readonly turn: boolean;
  /** Whether it may name TURN servers to participants in signalling. Absent: not so. */
  readonly namesTurn?: true;
  readonly codecs: {
    readonly forwards: readonly VideoCodec[];
    readonly mixes: readonly VideoCodec[];
    readonly records: readonly VideoCodec[];
  };
}

/** What a server that carries a shape can do; ends a sentence that begins with "it does not". */
export const shapeWords: Readonly<Record<SessionShape, string>> = {
  forward: 'forward what participants send',
  mix: 'mix what participants send',
  'mix-sound': 'mix the sound of rooms without pictures',
  answer: 'answer each participant itself',
  'own-page': 'bring a page of its own that participants visit',
};

/** The same in a list of what a server does. */
export const shapeVerbs: Readonly<Record<SessionShape, string>> = {
  forward: 'forwards',
  mix: 'mixes',
  'mix-sound': 'mixes sound',
  answer: 'answers by itself',
  'own-page': 'has a page of its own',
};

/** A shape that its kind carries, and this one server does not. */
export interface MissingAbility {
  readonly shape: SessionShape;
  /** How that is known; a sentence part. */
  readonly why: string;
  readonly todo: string;
}
