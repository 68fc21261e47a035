import { videoCodecs } from '../../model/codec.js';
import type { ServerAbilities } from '../../model/server-abilities.js';

/** VideoRoom forwards untouched what rooms are told to take, AudioBridge mixes sound. Of what it records, files of VP8 were looked at. */
export const janusAbilities: ServerAbilities = {
  shapes: ['forward', 'mix-sound'],
  audioMix: false,
  records: true,
  tellsResources: true,
  tellsSessions: true,
  capsRates: true,
  reset: 'listed',
  turn: true,
  codecs: { forwards: videoCodecs, mixes: [], records: ['VP8'] },
};
