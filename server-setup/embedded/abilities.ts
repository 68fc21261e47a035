import { plainDataChannel } from '../../model/data-messages.js';
import type { ServerAbilities } from '../../model/server-abilities.js';
import { kurentoAbilities } from '../kurento/abilities.js';

/** Speaks as a Kurento does. Answers with what it hears. Forwards any codec; mixes and records VP8 alone. */
export const embeddedAbilities: ServerAbilities = {
  ...kurentoAbilities,
  shapes: [...kurentoAbilities.shapes, 'answer'],
  passesPayloads: true,
  layersChange: true,
  dataChannels: plainDataChannel,
  simulcastRids: ['l', 'm', 'h'],
  spatialLayersOf: ['VP9'],
  codecs: { ...kurentoAbilities.codecs, mixes: ['VP8'], records: ['VP8'] },
};
