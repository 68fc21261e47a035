// A library module (--library) for the video rooms of Janus 1.x, by janus.js: npm install janus-gateway webrtc-adapter
// beside a copy of this file. APP_JANUS_URL=wss://janus.example:8989
import Janus from 'janus-gateway';
import adapter from 'webrtc-adapter';

let janus;

export async function join({ session, participant, env }) {
  const dependencies = Janus.useDefaultDependencies({ adapter });
  await new Promise((callback) => Janus.init({ debug: false, dependencies, callback }));
  await new Promise((success, error) => {
    janus = new Janus({ server: env.APP_JANUS_URL, success, error });
  });
  const room = roomOf(session);
  const seen = new Set();
  let subscriber;
  const subscribe = async (publishers) => {
    const streams = publishers.flatMap(({ id, streams: all }) => all.map(({ mid }) => ({ feed: id, mid })));
    const fresh = streams.filter(({ feed, mid }) => !seen.has(`${feed} ${mid}`));
    for (const { feed, mid } of fresh) seen.add(`${feed} ${mid}`);
    if (fresh.length === 0) return;
    subscriber ??= attached((_message, jsep) => jsep && answer(subscriber, jsep));
    const isFirst = seen.size === fresh.length;
    const handle = await subscriber;
    handle.send({
      message: isFirst
        ? { request: 'join', ptype: 'subscriber', room, streams: fresh }
        : { request: 'subscribe', streams: fresh },
    });
  };
  const publisher = await attached((message, jsep) => {
    if (jsep) publisher.handleRemoteJsep({ jsep });
    if (message.publishers) void subscribe(message.publishers);
  });
  // 427: somebody else of the session has made it.
  const { error_code: code = 427, error } = await asked(publisher, { request: 'create', room, publishers: 64 });
  if (code !== 427) throw new Error(`no room can be made: ${error}`);
  publisher.send({ message: { request: 'join', ptype: 'publisher', room, display: participant } });
  const video = { width: 320, height: 180, frameRate: 15 };
  const tracks = [
    { type: 'audio', capture: true },
    { type: 'video', capture: video },
  ];
  const offer = await new Promise((success, error) => publisher.createOffer({ tracks, success, error }));
  publisher.send({ message: { request: 'publish' }, jsep: offer });
}

export const leave = () => new Promise((success) => janus.destroy({ success, error: success }));

/** A handle of the room's plugin. */
function attached(onmessage) {
  return new Promise((success, error) => janus.attach({ plugin: 'janus.plugin.videoroom', success, error, onmessage }));
}

const asked = (handle, message) => new Promise((success, error) => handle.send({ message, success, error }));

async function answer(subscriber, jsep) {
  const handle = await subscriber;
  const made = await new Promise((success, error) => handle.createAnswer({ jsep, tracks: [], success, error }));
  handle.send({ message: { request: 'start' }, jsep: made });
}

/** Rooms have numbers. */
const roomOf = (session) => [...session].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_000_007, 7);
