// A library module (--library) for Jitsi Meet, by lib-jitsi-meet. Library and configuration are those that the app
// itself serves (/libs/lib-jitsi-meet.min.js, /config.js), so there is nothing to install: --url
// 'https://HOST/{session}'. Who is alone in a room gets no media: try it with --members 2. APP_JITSI_TOKEN=… where
// rooms ask for a JWT.

let connection;
let conference;

export async function join({ session, participant, env }) {
  const config = new Function(`${await textOf('/config.js')}\nreturn config;`)();
  const library = await libraryOfApp();
  // What the app sends to others (analytics) is left out.
  library.init({ ...config, analytics: {}, disableAudioLevels: true, disableThirdPartyRequests: true });
  const service = new URL(config.websocket ?? config.bosh, location.href);
  service.searchParams.set('room', session);
  const options = { ...config, analytics: {}, serviceUrl: service.href };
  connection = new library.JitsiConnection(null, env.APP_JITSI_TOKEN ?? null, options);
  const connected = library.events.connection;
  await new Promise((done, failed) => {
    connection.addEventListener(connected.CONNECTION_ESTABLISHED, done);
    connection.addEventListener(connected.CONNECTION_FAILED, (...why) => failed(new Error(`no connection: ${why}`)));
    connection.connect({ name: session });
  });
  // Two people would leave the server out.
  conference = connection.initJitsiConference(session, { ...options, p2p: { enabled: false } });
  conference.setDisplayName(participant);
  const video = { width: 320, height: 180, frameRate: 15 };
  const tracks = await library.createLocalTracks({ devices: ['audio', 'video'], constraints: { audio: true, video } });
  for (const track of tracks) await conference.addTrack(track);
  const joined = library.events.conference;
  await new Promise((done, failed) => {
    conference.on(joined.CONFERENCE_JOINED, done);
    conference.on(joined.CONFERENCE_FAILED, (...why) => failed(new Error(`no conference: ${why}`)));
    conference.join();
  });
  // As the app's tiles ask for; no picture is shown here.
  conference.setReceiverConstraints({ lastN: -1, defaultConstraints: { maxHeight: 180 } });
}

export async function leave() {
  await conference?.leave();
  await connection?.disconnect();
}

/** Each participant's own: the address in its stack says whose connections it makes. */
async function libraryOfApp() {
  const module = { exports: {} };
  const code = `${await textOf('/libs/lib-jitsi-meet.min.js')}\n//# sourceURL=${import.meta.url}`;
  new Function('module', 'exports', code)(module, module.exports);
  return module.exports;
}

async function textOf(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`the app answers ${answer.status} to ${path}`);
  return answer.text();
}
