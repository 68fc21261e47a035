import { type LocalSite, serveSite } from '../local-site.js';

/**
 * A web app that calls itself: what one connection of a page sends, another one of the same page receives. What it does
 * is in the query, and what it saw of its own world stands in its title.
 */
export const callingPage = `<!doctype html><meta charset="utf-8"><title>app</title><body><script>
const query = new URLSearchParams(location.search);
const act = query.get('act') ?? 'call';

async function connect(make = () => new RTCPeerConnection(), streams = 1, media) {
  const [near, far] = [make(), make()];
  near.onicecandidate = ({ candidate }) => candidate && far.addIceCandidate(candidate);
  far.onicecandidate = ({ candidate }) => candidate && near.addIceCandidate(candidate);
  far.ontrack = ({ track }) => {
    const element = document.createElement(track.kind);
    element.autoplay = true;
    element.srcObject = new MediaStream([track]);
    document.body.append(element);
  };
  const camera = media ?? (await navigator.mediaDevices.getUserMedia({ audio: true, video: { width: 320, height: 180 } }));
  for (const track of camera.getTracks()) near.addTrack(track, camera);
  for (let more = 1; more < streams; more += 1) near.addTrack(camera.getVideoTracks()[0].clone(), camera);
  await negotiate(near, far);
  return { near, far, camera };
}

async function negotiate(near, far) {
  await near.setLocalDescription();
  await far.setRemoteDescription(near.localDescription);
  await far.setLocalDescription();
  await near.setRemoteDescription(far.localDescription);
}

/** The page plays the server that takes layers: each layer is a section of its own to the receiving connection. */
const midUri = 'urn:ietf:params:rtp-hdrext:sdes:mid';
const ridUri = 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id';
const rids = ['q', 'h', 'f'];

function layersAsSections(sdp) {
  const [head, section] = sdp.split(/(?=^m=)/m);
  const left = /^a=(mid|rid|simulcast|ssrc|msid|candidate)[:-]/;
  const lines = section.split('\\r\\n').filter((line) => line !== '' && !left.test(line) && !line.endsWith(midUri));
  const base = lines.join('\\r\\n').replace(ridUri, midUri);
  const bundled = head.replace(/a=group:BUNDLE.*/, 'a=group:BUNDLE ' + rids.join(' '));
  return bundled + rids.map((rid) => base + '\\r\\na=mid:' + rid + '\\r\\na=msid:' + rid + ' ' + rid + '\\r\\n').join('');
}

function sectionsAsLayers(sdp, mid) {
  const [head, section] = sdp.split(/(?=^m=)/m);
  const layers = rids.map((rid) => 'a=rid:' + rid + ' recv').join('\\r\\n');
  const own = section.replace(midUri, ridUri).replace(/a=mid:.*/, 'a=mid:' + mid).replace(/a=candidate.*\\r\\n/g, '');
  return head.replace(/a=group:BUNDLE.*/, 'a=group:BUNDLE ' + mid) + own + layers + '\\r\\na=simulcast:recv ' + rids.join(';') + '\\r\\n';
}

/** A picture that moves, large enough for three layers. */
function movingPicture() {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [960, 540];
  const pen = canvas.getContext('2d');
  let step = 0;
  setInterval(() => {
    step += 1;
    pen.fillStyle = 'hsl(' + (step * 7) % 360 + ' 80% 50%)';
    pen.fillRect((step * 13) % 900, (step * 5) % 500, 60, 40);
  }, 100);
  return canvas.captureStream(10);
}

async function connectLayers() {
  const [near, far] = [new RTCPeerConnection(), new RTCPeerConnection()];
  const toFirst = (other) => ({ candidate }) => candidate && other.addIceCandidate({ candidate: candidate.candidate, sdpMLineIndex: 0 });
  near.onicecandidate = toFirst(far);
  far.onicecandidate = toFirst(near);
  const stream = movingPicture();
  const sendEncodings = rids.map((rid, nth) => ({ rid, scaleResolutionDownBy: 4 / 2 ** nth }));
  near.addTransceiver(stream.getVideoTracks()[0], { direction: 'sendonly', streams: [stream], sendEncodings });
  const offer = await near.createOffer();
  const applied = near.setLocalDescription(offer);
  await far.setRemoteDescription({ type: 'offer', sdp: layersAsSections(offer.sdp) });
  await far.setLocalDescription();
  await applied;
  const [{ mid }] = near.getTransceivers();
  await near.setRemoteDescription({ type: 'answer', sdp: sectionsAsLayers(far.localDescription.sdp, mid) });
  return near.getSenders()[0];
}

const acts = {
  async simulcast() {
    const sender = await connectLayers();
    window.upper = async (active) => {
      const parameters = sender.getParameters();
      for (const encoding of parameters.encodings) if (encoding.rid !== 'q') encoding.active = active;
      await sender.setParameters(parameters);
    };
  },
  call: () => connect(),
  async fifteen() {
    const { camera } = await connect();
    await camera.getVideoTracks()[0].applyConstraints({ frameRate: 15 });
  },
  /** Sends what a script makes of the camera, as apps do that blur what is behind somebody. */
  async generated() {
    const { near, camera } = await connect();
    const { readable } = new MediaStreamTrackProcessor({ track: camera.getVideoTracks()[0] });
    const generator = new MediaStreamTrackGenerator({ kind: 'video' });
    void readable.pipeTo(generator.writable);
    const sender = near.getSenders().find(({ track }) => track?.kind === 'video');
    await sender.replaceTrack(generator);
  },
  many: () => connect(undefined, Number(query.get('streams') ?? 20)),
  nothing: async () => undefined,
  async frame() {
    const frame = document.createElement('iframe');
    frame.allow = 'camera; microphone';
    frame.src = '/?act=call';
    document.body.append(frame);
  },
  async blank() {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    await connect(() => new frame.contentWindow.RTCPeerConnection());
  },
  async again() {
    for (let time = 0; time < 10; time += 1) {
      const { near, far, camera } = await connect();
      near.close();
      far.close();
      for (const track of camera.getTracks()) track.stop();
    }
    await connect();
  },
  async subclass() {
    class Own extends RTCPeerConnection {
      constructor(...args) { super(...args); this.own = true; }
    }
    const { near } = await connect(() => new Own());
    document.title = [near instanceof Own, near instanceof RTCPeerConnection, near.own, near.constructor === Own].join();
  },
  async renegotiate() {
    const { near, far, camera } = await connect();
    window.more = async () => {
      near.addTrack(camera.getVideoTracks()[0].clone(), camera);
      await negotiate(near, far);
    };
    window.less = async () => {
      near.getTransceivers().at(-1).direction = 'inactive';
      await negotiate(near, far);
    };
  },
  async reload() {
    const times = Number(sessionStorage.getItem('times') ?? 0);
    sessionStorage.setItem('times', times + 1);
    await connect();
    if (times === 0) setTimeout(() => location.reload(), 2500);
  },
  async dialog() {
    alert('who are you?');
  },
};

/** What a page can see of its own world. */
function world() {
  const names = ['RTCPeerConnection', 'webkitRTCPeerConnection'];
  const descriptor = (owner, name) => {
    const { value, ...rest } = Object.getOwnPropertyDescriptor(owner, name);
    return { ...rest, is: typeof value };
  };
  const connection = new RTCPeerConnection();
  const error = (() => { try { RTCPeerConnection(); } catch (thrown) { return thrown.name + ': ' + thrown.message; } })();
  const seen = {
    globals: Object.getOwnPropertyNames(window).filter((name) => !/^__p|^__pw|playwright/.test(name)),
    statics: Reflect.ownKeys(RTCPeerConnection).map(String),
    methods: Reflect.ownKeys(RTCPeerConnection.prototype).map(String),
    own: Object.keys(connection),
    descriptors: [...names.map((name) => descriptor(window, name)), descriptor(RTCPeerConnection.prototype, 'constructor'), descriptor(Function.prototype, 'toString')],
    text: [RTCPeerConnection, RTCPeerConnection.prototype.getStats, Function.prototype.toString, world].map((one) => Function.prototype.toString.call(one).slice(0, 60)),
    string: String(RTCPeerConnection) + String(connection),
    name: [RTCPeerConnection.name, RTCPeerConnection.length],
    same: [RTCPeerConnection === webkitRTCPeerConnection, connection.constructor === RTCPeerConnection, connection instanceof RTCPeerConnection, Object.getPrototypeOf(connection) === RTCPeerConnection.prototype, RTCPeerConnection.prototype.constructor === RTCPeerConnection],
    error,
  };
  connection.close();
  return JSON.stringify(seen);
}

window.ready = (acts[act] ?? acts.call)();
</script>`;

/** Serves the app at /, and nothing at /missing. */
export function startApp(): Promise<LocalSite> {
  return serveSite((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/log-in') {
      response.setHeader('content-type', 'text/html').end('<title>Log in</title><input type="password">');
    } else if (pathname === '/private') response.writeHead(302, { location: '/log-in' }).end();
    else if (pathname === '/') response.setHeader('content-type', 'text/html').end(callingPage);
    else response.writeHead(404).end('not here');
  });
}
