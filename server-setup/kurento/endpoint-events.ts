import { z } from 'zod';
import type { MediaKind } from '../../model/scenario.js';
import type { Failing, ServerEvent } from '../../model/server-event.js';
import type { IceCandidate } from '../../model/signalling.js';
import type { ObjectEvent } from './frame.js';

/** What the adapter subscribes to on each endpoint, and what follows. Candidates are signalling. */
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

/** A candidate for Kurento: all three fields, and the names of its module and type, which tell its class. */
export function kurentoCandidate(candidate: IceCandidate): object {
  const line = candidate.sdpMLineIndex ?? 0;
  const fields = { candidate: candidate.candidate, sdpMid: candidate.sdpMid ?? String(line), sdpMLineIndex: line };
  return { ...fields, __module__: 'kurento', __type__: 'IceCandidate' };
}

const dataSchema = z
  .object({
    newState: z.string(),
    oldState: z.string(),
    state: z.string(),
    mediaType: z.enum(['AUDIO', 'VIDEO']),
    description: z.string(),
    errorCode: z.number(),
    type: z.string(),
  })
  .partial();
type Data = z.infer<typeof dataSchema>;

/** What an `Error` says: "RESOURCE_ERROR_OPEN (6): …". */
export function errorText({ data }: ObjectEvent): string {
  const read = dataSchema.safeParse(data);
  if (!read.success) return JSON.stringify(data);
  const { type, errorCode, description } = read.data;
  return `${type ?? 'Error'} (${errorCode ?? '?'}): ${description ?? ''}`;
}

/** An event of Kurento in the words of this tool; one of another form is told as it came. */
export function translated(event: ObjectEvent, of: Failing, atMs: number): ServerEvent {
  if (event.type === 'Error') return { kind: 'failed', atMs, ...of, detail: errorText(event) };
  const read = dataSchema.safeParse(event.data);
  const known = read.success && of.of === 'leg' ? ofLeg(event.type, of.leg, read.data, atMs) : undefined;
  const leg = 'leg' in of ? { leg: of.leg } : {};
  return known ?? { kind: 'other', atMs, name: event.type, detail: JSON.stringify(event.data), ...leg };
}

function ofLeg(type: string, leg: string, data: Data, atMs: number): ServerEvent | undefined {
  const { newState, oldState, state } = data;
  const media = data.mediaType?.toLowerCase() as MediaKind | undefined;
  if (type === 'ConnectionStateChanged' && newState !== undefined) {
    const was = oldState === undefined ? {} : { was: oldState.toLowerCase() };
    return { kind: 'connection', atMs, leg, state: newState.toLowerCase(), ...was };
  }
  if (type === 'MediaTranscodingStateChanged' && state !== undefined) {
    const begun = state === 'TRANSCODING';
    return { kind: 'transcoding', atMs, leg, ...(media === undefined ? {} : { media }), begun };
  }
  // "Out" is what flows out of the endpoint into the server: it has come from the participant.
  const flow = /^MediaFlow(In|Out)StateChanged$/.exec(type)?.[1];
  if (flow === undefined || state === undefined || media === undefined) return undefined;
  const from = flow === 'Out' ? 'participant' : 'server';
  return { kind: 'flow', atMs, leg, from, media, flows: state === 'FLOWING' };
}
