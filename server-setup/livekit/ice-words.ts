import type { ICEServer } from '@livekit/protocol';
import { z } from 'zod';
import { given } from '../../model/given.js';
import { jsonIn } from '../../model/json-text.js';
import type { IceCandidate, IceServer } from '../../model/signalling.js';
import { tooDeep } from '../sockets/socket-bounds.js';

const candidateSchema = z.object({
  candidate: z.string(),
  sdpMid: z.string().nullish(),
  sdpMLineIndex: z.number().nullish(),
});

/** A candidate travels as JSON within a message; `undefined` for the end of candidates, and for what is none. */
export function iceCandidateOf(text: string): IceCandidate | undefined {
  const read = tooDeep(text) === undefined ? candidateSchema.safeParse(jsonIn(text)) : undefined;
  if (!read?.success || read.data.candidate === '') return undefined;
  const { candidate, sdpMid = null, sdpMLineIndex = null } = read.data;
  return { candidate, sdpMid, sdpMLineIndex };
}

/**
 * Relays that the server names: probes reach it by those, too, as its own clients do. Servers of STUN are left out:
 * a LiveKit that nobody configured names some of the internet, and a server learns a probe's address from its checks.
 */
export function iceServersOf(servers: readonly ICEServer[]): readonly IceServer[] {
  return servers.flatMap(({ urls, username, credential }) => {
    const relays = urls.filter((url) => /^turns?:/.test(url));
    return relays.length === 0
      ? []
      : [given({ urls: relays, username: username || undefined, credential: credential || undefined })];
  });
}
