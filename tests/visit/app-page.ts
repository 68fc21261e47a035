import { type LocalSite, serveSite } from '../local-site.js';

/**
 * A web app that calls itself: what one connection of a page sends, another one of the same page receives. What it does is in the query,
 * and what it saw of its own world stands in its title.
 */
const html = `<!doctype html><meta charset="utf-8"><title>app</title><body><script>
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

const acts = {
  call: () => connect(),
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
    else if (pathname === '/') response.setHeader('content-type', 'text/html').end(html);
    else response.writeHead(404).end('not here');
  });
}
