import type { MediaEnd, StreamMedia } from './stream-media.js';
import { type ClientHandler, type ClientOf, type Message, type ServerOptions, streamServer } from './stream-server.js';

/** Says what an Ant Media Server says, by its WebSocket messaging reference (2.16). */
export const antServer = (options: ServerOptions = {}) =>
  streamServer(options, (path) => path === '/live/websocket', handlerOf);

function handlerOf({ say }: ClientOf, media: StreamMedia): ClientHandler {
  let end: MediaEnd | undefined;
  let way = 'play';
  const fail = (definition: string, streamId: string) => say({ command: 'error', definition, streamId });
  const tell = (type: string, streamId: string, { sdp, candidates }: MediaEnd) => {
    say({ command: 'takeConfiguration', streamId, type, sdp });
    for (const { candidate } of candidates) say({ command: 'takeCandidate', streamId, label: 0, id: '0', candidate });
  };
  const close = async () => {
    await end?.close();
    end = undefined;
  };
  return {
    message: async (message) => {
      const { command } = message;
      if (command === 'ping') return say({ command: 'pong' });
      const streamId = String(message.streamId ?? '');
      if (streamId === '') return fail('noStreamNameSpecified', streamId);
      if (command === 'publish') {
        way = 'publish';
        if (media.streams.has(streamId)) return fail('streamIdInUse', streamId);
        return say({ command: 'start', streamId, subscriberId: '' });
      }
      if (command === 'play') {
        end = await media.offer('view', streamId);
        return end ? tell('offer', streamId, end) : fail('no_stream_exist', streamId);
      }
      if (command === 'takeConfiguration') return describeBack(message, streamId);
      if (command === 'takeCandidate') {
        const { id, label, candidate } = message;
        return end?.addCandidate({ candidate: String(candidate), sdpMid: String(id), sdpMLineIndex: Number(label) });
      }
      if (command === 'stop') {
        await close();
        say({ command: 'notification', definition: `${way}_finished`, streamId, subscriberId: '' });
      }
    },
    closed: close,
  };

  async function describeBack({ type, sdp }: Message, streamId: string): Promise<void> {
    if (type === 'answer') await end?.answered(String(sdp));
    else {
      end = await media.answer(streamId, String(sdp));
      tell('answer', streamId, end);
    }
    say({ command: 'notification', definition: `${way}_started`, streamId, subscriberId: '' });
  }
}
