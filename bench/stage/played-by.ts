import { startNativeFleet } from '../../probes/native/native-player.js';

/** Options of a stage whose probes are all of one kind. Native ones have no sentinels: only they are counted. */
export const playedBy = {
  full: {},
  encoded: { players: { kind: 'encoded', fullShare: 0 } },
  native: { through: () => startNativeFleet },
} as const;

export type Played = keyof typeof playedBy;
export const isPlayed = (word: string): word is Played => Object.hasOwn(playedBy, word);
