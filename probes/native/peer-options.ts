import type { VideoCodec } from '../../model/codec.js';
import type { RelayWay } from '../../model/turn.js';
import type { NativeLinkOptions } from '../../rtp/native-link-options.js';
import type { LegMarks } from './leg-marks.js';
import type { Sending } from './sent-sound.js';

export type PeerState = 'new' | 'connecting' | 'ice-connected' | 'connected' | 'failed' | 'disconnected' | 'closed';

export interface PeerSurroundings extends Omit<NativeLinkOptions, 'readBytes' | 'relay'> {
  /** This host's, as marks name it; absent: by the name of its kernel. */
  readonly ownClock?: number;
  readonly videoCodec: VideoCodec;
  /** Packets are missing: what is said of them is soon to be read. */
  readonly attend?: () => void;
  /** What is sent, and the ceiling of its picture; absent where nobody sends. */
  readonly sending?: Sending;
  /** SHA-256 of the public key (base64) of a TURN server's certificate that nobody vouches for. */
  readonly trustedKey?: string;
}

/** What a connection of a native probe may have besides. */
export interface PeerOptions {
  /** The one way to the server; absent: any. */
  readonly relay?: RelayWay | undefined;
  /** Absent where frames are not marked. */
  readonly marks?: LegMarks;
}
