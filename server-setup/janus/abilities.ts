import { videoCodecs } from '../../model/codec.js';
import type { ServerAbilities } from '../../model/server-abilities.js';

/** VideoRoom: forwards untouched what rooms are told to take. */
export const janusAbilities: ServerAbilities = {
  shapes: ['forward'],
  audioMix: false,
  records: false,
  tellsResources: true,
  tellsSessions: true,
  capsRates: true,
  reset: 'listed',
  turn: true,
  codecs: { forwards: videoCodecs, mixes: [], records: [] },
};
