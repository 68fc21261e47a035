import { videoCodecs } from '../../model/codec.js';
import { messageBytes } from '../../model/data-messages.js';
import type { ServerAbilities } from '../../model/server-abilities.js';

/** A field of bytes in protobuf: its number with its wire type, and how many bytes follow. */
const field = (number: number, bytes: number): readonly number[] => [number * 8 + 2, (bytes & 127) | 128, bytes >> 7];

/** The payload is field 2 of a UserPacket, which is field 2 of a DataPacket. */
const payload = field(2, messageBytes);
const packetHead = [...field(2, payload.length + messageBytes), ...payload];

/**
 * It forwards, and mixes nothing; agents of others answer in its rooms. A track can be subscribed to once its media
 * comes. Recording is another program of theirs (egress), which is not spoken to.
 */
export const liveKitAbilities: ServerAbilities = {
  shapes: ['forward', 'answer'],
  severalStreams: true,
  passesPayloads: true,
  records: false,
  tellsResources: true,
  reset: 'listed',
  turn: true,
  namesTurn: true,
  signalsAlone: true,
  receivesNeedMedia: true,
  // The names of its own clients: it knows the order of no others.
  layersChange: true,
  simulcastRids: ['q', 'h', 'f'],
  spatialLayersOf: ['VP9'],
  dataChannels: { label: '_reliable', head: packetHead },
  codecs: { forwards: videoCodecs, mixes: [], records: [] },
};
