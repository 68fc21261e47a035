import { startNativeFleet } from '../../probes/native/native-player.js';

/** Options of a stage on which all probes are of one kind. Native ones have no browsers among them: nothing but them is counted. */
export const playedBy = {
  full: {},
  encoded: { encoded: { fullShare: 0 } },
  native: { through: () => startNativeFleet },
} as const;
