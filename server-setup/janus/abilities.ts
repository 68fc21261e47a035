import { videoCodecs } from '../../model/codec.js';
import { plainDataChannel } from '../../model/data-messages.js';
import type { ServerAbilities } from '../../model/server-abilities.js';

/**
 * VideoRoom forwards untouched what rooms are told to take and records what is published in them, AudioBridge mixes
 * sound. Of recorded codecs only those are named whose files janus-pp-rec makes WebM of, and that were looked at.
 * Nobody can subscribe to a publisher that is not connected (error 428).
 */
export const janusAbilities: ServerAbilities = {
  shapes: ['forward', 'mix-sound'],
  severalStreams: true,
  passesPayloads: true,
  records: true,
  tellsResources: true,
  reset: 'listed',
  turn: true,
  layersChange: true,
  simulcastRids: ['l', 'm', 'h'],
  spatialLayersOf: ['VP9'],
  signalsAlone: true,
  receivesNeedMedia: true,
  dataChannels: plainDataChannel,
  codecs: { forwards: videoCodecs, mixes: [], records: ['VP8'] },
};
