import { videoCodecs } from '../../model/codec.js';
import type { ServerAbilities } from '../../model/server-abilities.js';

/**
 * VideoRoom forwards untouched what rooms are told to take, AudioBridge mixes sound. It records, too (`room-recorder.ts`): of a real one
 * sound passes its check, but pictures, converted by janus-pp-rec, do not decode cleanly. Until that holds, recording is not offered.
 */
export const janusAbilities: ServerAbilities = {
  shapes: ['forward', 'mix-sound'],
  severalStreams: true,
  records: false,
  tellsResources: true,
  tellsSessions: true,
  reset: 'listed',
  turn: true,
  codecs: { forwards: videoCodecs, mixes: [], records: [] },
};
