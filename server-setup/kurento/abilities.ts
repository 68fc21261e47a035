import { videoCodecs } from '../../model/codec.js';
import type { ServerAbilities } from '../../model/server-abilities.js';

/** A Composite mixes at 15 frames per second whatever the cameras give (docs/kurento.md). */
export const kurentoAbilities: ServerAbilities = {
  shapes: ['forward', 'mix'],
  mixedFps: 15,
  audioMix: false,
  records: true,
  tellsResources: true,
  tellsSessions: true,
  capsRates: true,
  reset: 'listed',
  turn: true,
  codecs: { forwards: videoCodecs, mixes: videoCodecs, records: videoCodecs },
};
