import type { RelayAccess } from '../../model/turn.js';
import type { LegMarks } from './leg-marks.js';

export type PeerState = 'new' | 'connecting' | 'ice-connected' | 'connected' | 'failed' | 'disconnected' | 'closed';

/** What a connection of a native probe may have besides. */
export interface PeerOptions {
  /** The one way to the server; absent: any. */
  readonly relay?: RelayAccess | undefined;
  /** Absent where frames are not marked. */
  readonly marks?: LegMarks;
}
