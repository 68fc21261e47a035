import { videoCodecs } from '../../model/codec.js';
import type { ServerAbilities } from '../../model/server-abilities.js';

/** VideoRoom: forwards untouched what rooms are told to take. Of what it records, files of VP8 were looked at. */
export const janusAbilities: ServerAbilities = {
  shapes: ['forward'],
  audioMix: false,
  records: true,
  tellsResources: true,
  tellsSessions: true,
  capsRates: true,
  reset: 'listed',
  turn: true,
  codecs: { forwards: videoCodecs, mixes: [], records: ['VP8'] },
};
