import { videoCodecs } from '../../model/codec.js';
import type { ServerAbilities } from '../../model/server-abilities.js';

/**
 * An endpoint carries one stream of a kind each way. A Composite mixes at 15 frames per second whatever the cameras
 * give, and sound alone where nothing else is connected to it (docs/reference/kurento.md). It stands on GStreamer,
 * which parses sound and packs it anew.
 */
export const kurentoAbilities: ServerAbilities = {
  shapes: ['forward', 'mix', 'mix-sound'],
  mixedFps: 15,
  severalStreams: false,
  records: true,
  tellsResources: true,
  reset: 'listed',
  turn: true,
  signalsAlone: true,
  codecs: { forwards: videoCodecs, mixes: videoCodecs, records: videoCodecs },
};
