import { videoCodecs } from '../../model/codec.js';
import type { ServerAbilities } from '../../model/server-abilities.js';

/**
 * Two standards for one stream in and one stream out. Neither has words for mixing, recording, or what a server uses.
 * A voice agent answers on the connection of WHIP itself. What a server of them does to payloads is not known. For a
 * viewer before media comes MediaMTX has nothing (404); others answer.
 */
export const whipAbilities: ServerAbilities = {
  shapes: ['forward', 'answer'],
  severalStreams: false,
  records: false,
  tellsResources: false,
  reset: 'not-provable',
  turn: true,
  namesTurn: true,
  signalsAlone: true,
  receivesNeedMedia: 'on-some',
  codecs: { forwards: videoCodecs, mixes: [], records: [] },
};
