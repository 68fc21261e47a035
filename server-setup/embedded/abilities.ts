import { videoCodecs } from '../../model/codec.js';
import type { ServerAbilities } from '../../model/server-abilities.js';

/** It hands on what it does not look into, whatever its codec; what it mixes or records must be VP8. */
export const embeddedAbilities: ServerAbilities = {
  shapes: ['forward', 'mix'],
  mixedFps: 15,
  audioMix: false,
  records: true,
  tellsResources: true,
  tellsSessions: true,
  capsRates: true,
  reset: 'listed',
  turn: true,
  codecs: { forwards: videoCodecs, mixes: ['VP8'], records: ['VP8'] },
};
