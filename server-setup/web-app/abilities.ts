import { videoCodecs } from '../../model/codec.js';
import type { ServerAbilities } from '../../model/server-abilities.js';

/** Nobody speaks to the app's media server but the app: what it is like is for its process and its host to show. */
export const webAppAbilities: ServerAbilities = {
  shapes: ['own-page'],
  severalStreams: true,
  records: false,
  tellsResources: true,
  tellsSessions: false,
  reset: 'not-provable',
  turn: false,
  codecs: { forwards: videoCodecs, mixes: [], records: [] },
};
