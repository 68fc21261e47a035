import { given } from './given.js';
import { type Ask, type AskedLayer, layerNames } from './layer.js';
import {
  type Leg,
  layerAsked,
  type MediaKind,
  type MediaSource,
  type Participant,
  type ReceivedStream,
  receivedData,
  receivedStreams,
  type StreamKind,
  senderOfSource,
  sourceOfStream,
} from './scenario.js';
import type { Speech } from './speech.js';

export interface ExpectedStream extends ReceivedStream<StreamKind> {
  readonly participant: Participant;
  readonly leg: Leg;
  readonly direction: 'send' | 'receive';
}

/** One stream that a leg sends. `stream` is the rid of its layer; absent: it has one only. */
interface SentStream {
  readonly kind: MediaKind;
  readonly stream?: string;
}

export function sentStreams({ sends, layers = [] }: Leg): readonly SentStream[] {
  return sends.flatMap((kind): readonly SentStream[] =>
    kind === 'audio' || layers.length === 0 ? [{ kind }] : layers.map(({ rid: stream }) => ({ kind, stream })),
  );
}

/** The ceiling of a video, kbit/s: of its layer where it has one. */
export function videoKbpsOf({ leg, direction, stream, ...received }: ExpectedStream, allKbps: number): number {
  const layer = direction === 'receive' ? layerAsked(received) : leg.layers?.find(({ rid }) => rid === stream);
  return layer?.kbps ?? allKbps;
}

/** The layer that is asked for of a received video, or that a sent one is; `undefined` where there are none. */
export function layerOf(
  legs: readonly Leg[],
  {
    leg: id,
    direction,
    kind,
    stream,
  }: Pick<ExpectedStream, 'direction' | 'kind' | 'stream'> & { readonly leg: string },
): (Pick<AskedLayer, 'name'> & Partial<AskedLayer>) | undefined {
  const leg = legs.find((one) => one.id === id);
  if (!leg) return undefined;
  if (direction === 'receive') {
    const from = sourceOfStream(leg, kind, stream);
    return layerAsked({ kind, ...(from ? { from } : {}) });
  }
  const name = kind === 'video' ? layerNames[leg.layers?.findIndex(({ rid }) => rid === stream) ?? -1] : undefined;
  return name && { name };
}

/** Whether it is shown as a camera has sent it: not mixed, and no screen. */
export const isOfCamera = (source: MediaSource | undefined): boolean =>
  source !== undefined && 'participant' in source && !source.screen;

export const receivesCamera = (leg: Leg): boolean =>
  receivedStreams(leg).some(({ kind, from }) => kind === 'video' && isOfCamera(from));

/** Whether it is what the server mixes of everybody for whoever receives it. */
export function isMix({ direction, from }: ExpectedStream): boolean {
  return direction === 'receive' && from !== undefined && 'mix' in from;
}

type Stateful = Pick<ExpectedStream, 'direction' | 'kind' | 'from'> & {
  readonly leg?: Pick<Leg, 'muted' | 'speech' | 'screen'>;
};

/** Who sends it, as far as its stream is another one by that; `undefined` of what a server mixes. */
const senderOf = ({ direction, from, leg }: Stateful) =>
  direction === 'send' ? leg : from && 'participant' in from ? from : undefined;

/** Whether its sender is mute: silence, most of it pauses (DTX). */
export const isMuted = (stream: Stateful): boolean => stream.kind === 'audio' && senderOf(stream)?.muted === true;

/** When its sender speaks; `undefined`: all the time, or nobody in particular does. */
export const speechOf = (stream: Stateful): Speech | undefined =>
  stream.kind === 'audio' ? senderOf(stream)?.speech : undefined;

/** Whether it is the picture of a shared screen, and no camera's. */
export const isShared = (stream: Stateful): boolean => stream.kind === 'video' && senderOf(stream)?.screen === true;

export function expectedStreams(participants: readonly Participant[]): ExpectedStream[] {
  return participants.flatMap((participant) =>
    participant.legs.flatMap((leg) => [
      ...sentStreams(leg).map((stream) => ({ participant, leg, direction: 'send', ...stream }) as const),
      ...receivedStreams(leg).map((stream) => ({ participant, leg, direction: 'receive', ...stream }) as const),
      ...(leg.data === undefined ? [] : [{ participant, leg, direction: 'send', kind: 'data' } as const]),
      ...receivedData(leg).map((stream) => ({ participant, leg, direction: 'receive', ...stream }) as const),
    ]),
  );
}

/**
 * Tells of each stream whether it is a sent layer that no receiver of its sender asks for. Where nobody asks this
 * sender for a layer, all its layers count as asked for.
 *
 * @param streams those of all participants
 */
export function unaskedLayers(streams: readonly ExpectedStream[]): (stream: ExpectedStream) => boolean {
  const askedOf = new Map<string, Set<Ask>>();
  for (const stream of streams) {
    const sender = stream.direction === 'receive' ? senderOfSource(stream.from) : undefined;
    const asked = sender === undefined ? undefined : layerAsked(stream);
    if (sender === undefined || !asked) continue;
    const names = askedOf.get(sender) ?? new Set();
    for (const ask of asked.turns?.map(([, one]) => one) ?? [asked.name]) names.add(ask);
    askedOf.set(sender, names);
  }
  return ({ direction, kind, stream, leg, participant }) => {
    const asked = direction === 'send' ? askedOf.get(participant.id) : undefined;
    const layer = asked && layerOf([leg], { direction, kind, leg: leg.id, ...given({ stream }) });
    return asked !== undefined && layer !== undefined && !asked.has(layer.name);
  };
}
