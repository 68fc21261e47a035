import { z } from 'zod';
import { given } from '../../model/given.js';
import type { IceCandidate, IceServer } from '../../model/signalling.js';
import type { Message } from '../stream-sockets/message-socket.js';
import { StreamRefusal, type Way } from '../stream-sockets/stream-door.js';

export const queryName = 'LOADLINE_OVENMEDIA_QUERY';

/** Its own name for the user of a relay is another than that of browsers; newer versions send both. */
const iceServer = z.object({
  urls: z.array(z.string()),
  username: z.string().optional(),
  user_name: z.string().optional(),
  credential: z.string().optional(),
});

const offerSchema = z.object({
  command: z.literal('offer'),
  id: z.number(),
  peer_id: z.number().optional(),
  sdp: z.object({ type: z.literal('offer'), sdp: z.string() }),
  candidates: z
    .array(
      z.object({
        candidate: z.string(),
        sdpMLineIndex: z.number().optional(),
        sdpMid: z.string().optional(),
      }),
    )
    .default([]),
  iceServers: z.array(iceServer).nullish(),
  ice_servers: z.array(iceServer).nullish(),
});

export interface OvenOffer {
  readonly sdp: string;
  /** By which the server knows the connection again. */
  readonly ids: { readonly id: number; readonly peer_id: number };
  readonly candidates: readonly IceCandidate[];
  readonly iceServers: readonly IceServer[];
}

/** Undefined: another message. */
export function readOffer(message: Message): OvenOffer | undefined {
  const read = offerSchema.safeParse(message);
  if (!read.success) return undefined;
  const { id, peer_id = 0, sdp, candidates, iceServers, ice_servers } = read.data;
  return {
    sdp: sdp.sdp,
    ids: { id, peer_id },
    candidates: candidates.map(({ candidate, sdpMid = null, sdpMLineIndex = 0 }) => ({
      ...{ candidate, sdpMid, sdpMLineIndex },
    })),
    iceServers: (iceServers ?? ice_servers ?? []).map(({ urls, username, user_name, credential }) => ({
      urls,
      ...given({ username: username ?? user_name, credential }),
    })),
  };
}

/** What it says to an answer, and to a candidate, that it does not take. */
const meanings: Readonly<Record<number, string>> = {
  400: 'It cannot work with what it was sent.',
  403: 'It does not let the connection in, or cannot work with the answer.',
  500: 'It failed within itself.',
};

/** An answer with an error; undefined: another message. */
export function refusalIn(message: Message, way: Way, where: string): StreamRefusal | undefined {
  const { code, error } = message;
  if (error === undefined && !(typeof code === 'number' && code >= 400)) return undefined;
  const why = `${String(code ?? '')} ${String(error ?? '')}`.trim();
  if (code !== 404)
    return new StreamRefusal(`The OvenMediaEngine refused. ${meanings[Number(code)] ?? ''}`.trim(), { where, why });
  // It says the same of an application that it does not know, and of a policy that does not hold.
  return way === 'view'
    ? new StreamRefusal(
        'The OvenMediaEngine gives no such stream.',
        {
          where,
          why: `${why}: nobody publishes it, or what was shown does not allow it; its log says which`,
        },
        true,
      )
    : new StreamRefusal('The OvenMediaEngine does not take streams there.', {
        where,
        why: `${why}: it knows no such application, has no WebRTC provider in it, or refuses what was shown; its log says which`,
        todo: `name an application with <Providers><WebRTC>, and in ${queryName} what it wants to be shown`,
      });
}
