import { z } from 'zod';
import { dataSchema } from './data-schema.js';
import type { MediaKind, Participant, Session } from './scenario.js';
import { speechPatterns } from './speech.js';

const share = z.number().gt(0).lt(1);

/** What participants leave out of their media, or send beside it. Shares count senders who do not present. In plans. */
export const crowdStates = {
  /** Nobody sends pictures. Absent: as the scenario has it. */
  audioOnly: z.literal(true).optional(),
  /** The share without a picture. */
  cameraOff: share.optional(),
  /** The share whose sound is silence, with pauses in place of packets (DTX; RFC 7587, 3.1.3). */
  muted: share.optional(),
  /** One of each session shares a screen. Absent: nobody does. */
  screen: z.literal(true).optional(),
  /** Messages on a data channel, of each who sends media. Absent: none. */
  data: dataSchema.optional(),
  /** By what pattern the others speak and pause. Absent: all speak all the time. */
  speech: z.enum(speechPatterns).optional(),
};

const crowdSchema = z.object(crowdStates);
export type CrowdState = z.infer<typeof crowdSchema>;

/** Who sends this kind and may leave it out: whoever presents is what the others are there for. */
export function sendersBeside({ participants }: Session, kind: MediaKind): readonly Participant[] {
  return participants.filter(({ legs, presents }) => !presents && legs.some(({ sends }) => sends.includes(kind)));
}

/** Who sends a sound, and is not mute. */
export const speakersIn = ({ participants }: Session): readonly Participant[] =>
  participants.filter(({ legs }) => legs.some(({ sends, muted }) => sends.includes('audio') && !muted));

/** To the nearest one. */
export const crowdCount = (share: number, senders: number): number => Math.round(share * senders);
