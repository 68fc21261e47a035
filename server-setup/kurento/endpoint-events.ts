import { z } from 'zod';
import type { IceCandidate } from '../../model/signalling.js';
import type { ObjectEvent } from './frame.js';

/** What the adapter subscribes to on each endpoint, and what becomes of it. Candidates are signalling, all others are told. */
export const endpointEvents = [
  'IceCandidateFound',
  'ConnectionStateChanged',
  'MediaFlowInStateChanged',
  'MediaFlowOutStateChanged',
  'MediaTranscodingStateChanged',
  'Error',
] as const;

const candidateSchema = z.object({
  candidate: z.object({ candidate: z.string(), sdpMid: z.string(), sdpMLineIndex: z.number().int() }),
});

/** The candidate of an `IceCandidateFound`; `undefined` when it has another form. */
export function candidateOf(event: ObjectEvent): IceCandidate | undefined {
  const read = candidateSchema.safeParse(event.data);
  return read.success ? read.data.candidate : undefined;
}

const detailSchema = z
  .object({
    newState: z.string(),
    oldState: z.string(),
    state: z.string(),
    mediaType: z.string(),
    description: z.string(),
    errorCode: z.number(),
    type: z.string(),
  })
  .partial();

/** One line for a person: "VIDEO FLOWING", "DISCONNECTED after CONNECTED", "RESOURCE_ERROR_OPEN (6): …". */
export function detailOf(event: ObjectEvent): string {
  const read = detailSchema.safeParse(event.data);
  if (!read.success) return JSON.stringify(event.data);
  const { newState, oldState, state, mediaType, description, errorCode, type } = read.data;
  if (event.type === 'Error') return `${type ?? 'Error'} (${errorCode ?? '?'}): ${description ?? ''}`;
  if (newState !== undefined) return `${newState} after ${oldState ?? '?'}`;
  if (state !== undefined) return `${mediaType ?? ''} ${state}`.trim();
  return JSON.stringify(event.data);
}
