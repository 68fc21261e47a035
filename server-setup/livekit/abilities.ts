import { videoCodecs } from '../../model/codec.js';
import type { ServerAbilities } from '../../model/server-abilities.js';

/**
 * It forwards, and mixes nothing; agents of others answer in its rooms. A track can be subscribed to once its media comes. Recording is another program of
 * theirs (egress), which is not spoken to.
 */
export const liveKitAbilities: ServerAbilities = {
  shapes: ['forward', 'answer'],
  severalStreams: true,
  records: false,
  tellsResources: true,
  tellsSessions: true,
  reset: 'listed',
  turn: true,
  signalsAlone: true,
  receivesNeedMedia: true,
  // The names of its own clients: it knows the order of no others.
  layersChange: true,
  simulcastRids: ['q', 'h', 'f'],
  codecs: { forwards: videoCodecs, mixes: [], records: [] },
};
