import { videoCodecs } from '../../model/codec.js';
import type { ServerAbilities } from '../../model/server-abilities.js';

/** An endpoint carries one stream of a kind each way. A Composite mixes at 15 frames per second whatever the cameras give (docs/kurento.md). */
export const kurentoAbilities: ServerAbilities = {
  shapes: ['forward', 'mix'],
  mixedFps: 15,
  severalStreams: false,
  records: true,
  tellsResources: true,
  tellsSessions: true,
  reset: 'listed',
  turn: true,
  codecs: { forwards: videoCodecs, mixes: videoCodecs, records: videoCodecs },
};
