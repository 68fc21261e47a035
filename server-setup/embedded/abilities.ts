import type { ServerAbilities } from '../../model/server-abilities.js';
import { kurentoAbilities } from '../kurento/abilities.js';

/** It speaks as a Kurento does. It hands on what it does not look into, whatever its codec; what it mixes or records must be VP8. */
export const embeddedAbilities: ServerAbilities = {
  ...kurentoAbilities,
  passesPayloads: true,
  codecs: { ...kurentoAbilities.codecs, mixes: ['VP8'], records: ['VP8'] },
};
