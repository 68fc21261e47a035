import { z } from 'zod';
import { messagesRange } from '../../model/data-messages.js';
import { asks, layerNames } from '../../model/layer.js';
import { networkName } from './wire-networks.js';

/** Of one trial on one host. */
export const participantsMax = 5000;
export const name = z.string().min(1).max(200);
const kinds = z.array(z.enum(['audio', 'video'])).max(2);

const muted = z.literal(true).exactOptional();
const speech = z
  .strictObject({
    conversation: name,
    voices: z.number().int().min(1).max(participantsMax),
    nth: z.number().int().nonnegative(),
    aheadMs: z.number().exactOptional(),
  })
  .exactOptional();
const rate = z.number().positive();
const turns = z.array(z.tuple([z.number().min(0), z.enum(asks)])).max(participantsMax);
const screen = z.literal(true).exactOptional();
const data = z.number().int().min(messagesRange.from).max(messagesRange.to).exactOptional();
const layer = z
  .strictObject({ name: z.enum(layerNames), width: rate, kbps: rate, turns: turns.exactOptional() })
  .exactOptional();
const layers = z.array(z.strictObject({ rid: name, shrunkBy: rate, kbps: rate })).max(layerNames.length);

const sender = { participant: name, network: networkName.exactOptional(), layer, muted, speech, screen, data };
const source = z.union([z.strictObject(sender), z.strictObject({ mix: z.literal(true) })]);
const legSource = z.strictObject({ ...sender, kinds, stream: name.exactOptional() });
const leg = z.strictObject({
  id: name,
  sends: kinds,
  layers: layers.exactOptional(),
  muted,
  speech,
  screen,
  data,
  receives: kinds,
  from: z.union([source, z.array(legSource).max(participantsMax)]).exactOptional(),
});
export const participant = z.strictObject({
  id: name,
  session: name,
  role: name,
  network: networkName.exactOptional(),
  presents: z.literal(true).exactOptional(),
  page: z.literal(true).exactOptional(),
  legs: z.array(leg).max(participantsMax),
});
