import { videoCodecs } from '../../model/codec.js';
import type { ServerAbilities } from '../../model/server-abilities.js';

/**
 * VideoRoom forwards untouched what rooms are told to take, AudioBridge mixes sound. It records, too (`room-recorder.ts`), but of a real
 * one the converted files did not pass their check yet: until it is known why, recording is not offered.
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
