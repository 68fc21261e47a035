import type { IceCandidate } from '../../model/signalling.js';
import type { MediaEnd, StreamMedia } from './stream-media.js';
import { type ClientHandler, type ClientOf, type ServerOptions, streamServer } from './stream-server.js';

/**
 * Says what an OvenMediaEngine says: the offer of its documentation, and its errors as its signalling server writes
 * them (0.19).
 */
export const ovenServer = (options: ServerOptions = {}) => streamServer(options, () => true, handlerOf);

let nextId = 506_764_844;

function handlerOf({ url, say, hangUp }: ClientOf, media: StreamMedia): ClientHandler {
  const [, app = '', stream = ''] = url.pathname.split('/');
  const way = url.searchParams.get('direction') === 'send' ? 'publish' : 'view';
  const id = nextId++;
  let end: MediaEnd | undefined;
  const refuse = (code: number, error: string) => {
    say({ code, error });
    hangUp();
  };
  return {
    message: async (message) => {
      if (message.command === 'request_offer') {
        const isTaken = way === 'publish' && media.streams.has(stream);
        end = app === 'app' && !isTaken ? await media.offer(way, stream) : undefined;
        if (!end) return refuse(404, 'Cannot create offer');
        const sdp = { type: 'offer', sdp: end.sdp.replaceAll('opus/48000', 'OPUS/48000') };
        const candidates = end.candidates.map(({ candidate, sdpMLineIndex }) => ({ candidate, sdpMLineIndex }));
        return say({ command: 'offer', id, peer_id: 0, sdp, candidates, code: 200 });
      }
      if (message.id !== id) return refuse(400, 'Invalid ID');
      if (message.command === 'answer') await end?.answered((message.sdp as { readonly sdp: string }).sdp);
      else if (message.command === 'candidate') {
        for (const one of message.candidates as readonly IceCandidate[]) await end?.addCandidate(one);
      } else if (message.command === 'stop') await end?.close();
      else refuse(400, `Unknown command: ${String(message.command)}`);
    },
    closed: async () => end?.close(),
  };
}
