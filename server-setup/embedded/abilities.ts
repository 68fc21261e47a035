import { plainDataChannel } from '../../model/data-messages.js';
import type { ServerAbilities } from '../../model/server-abilities.js';
import { kurentoAbilities } from '../kurento/abilities.js';

/** Speaks as a Kurento does. It answers with what it hears. Forwards any codec unread; what it mixes or records must be VP8. */
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
