import { z } from 'zod';
import { networkName } from './wire-networks.js';

/** Of one trial on one host. */
export const participantsMax = 5000;
export const name = z.string().min(1).max(200);
const kinds = z.array(z.enum(['audio', 'video'])).max(2);

const source = z.union([
  z.strictObject({ participant: name, network: networkName.exactOptional() }),
  z.strictObject({ mix: z.literal(true) }),
]);
const legSource = z.strictObject({
  participant: name,
  network: networkName.exactOptional(),
  kinds,
  stream: name.exactOptional(),
});
const leg = z.strictObject({
  id: name,
  sends: kinds,
  receives: kinds,
  from: z.union([source, z.array(legSource).max(participantsMax)]).exactOptional(),
});
export const participant = z.strictObject({
  id: name,
  session: name,
  role: name,
  network: networkName.exactOptional(),
  presents: z.literal(true).exactOptional(),
  legs: z.array(leg).max(participantsMax),
});
