import { startNativeFleet } from '../../probes/native/native-player.js';

/** Options of a stage whose probes are all of one kind. Native ones have no sentinels: only they are counted. */
export const playedBy = {
  full: {},
  encoded: { encoded: { fullShare: 0 } },
  native: { through: () => startNativeFleet },
} as const;
