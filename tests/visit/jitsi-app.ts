import { type LocalSite, serveSite } from '../local-site.js';

/**
 * Stands in for lib-jitsi-meet as an app serves it: the part of its API that joins and leaves, as strict as it is about
 * what comes when. Each conference calls itself. What is called is told to the site, one call after the other.
 */
const library = `!function(e,t){"object"==typeof exports&&"object"==typeof module?module.exports=t():e.JitsiMeetJS=t()}(self,function(){
let who = '?', isReady = false;
const said = (words) => {
  const request = new XMLHttpRequest();
  request.open('POST', '/said', false);
  request.send(who + ' ' + words);
};
const later = (call) => setTimeout(call, 20);
class Emitter {
  heard = {};
  on(name, call) { (this.heard[name] ??= []).push(call); }
  emit(name, ...words) { for (const call of this.heard[name] ?? []) call(...words); }
}
class Conference extends Emitter {
  tracks = [];
  constructor(name, config) {
    super();
    if (name !== name.toLowerCase()) throw new Error('Invalid conference name');
    said('initJitsiConference ' + name + ' p2p ' + config.p2p.enabled);
  }
  setDisplayName(name) { who = name; said('setDisplayName'); }
  async addTrack(track) { said('addTrack ' + track.getType()); this.tracks.push(track); }
  join() {
    said('join');
    later(async () => {
      this.emit('conference.joined');
      const [near, far] = this.sides = [new RTCPeerConnection(), new RTCPeerConnection()];
      near.onicecandidate = ({ candidate }) => candidate && far.addIceCandidate(candidate);
      far.onicecandidate = ({ candidate }) => candidate && near.addIceCandidate(candidate);
      for (const { track, stream } of this.tracks) near.addTrack(track, stream);
      await near.setLocalDescription();
      await far.setRemoteDescription(near.localDescription);
      await far.setLocalDescription();
      await near.setRemoteDescription(far.localDescription);
    });
  }
  setReceiverConstraints({ lastN, defaultConstraints }) { said('setReceiverConstraints ' + lastN + ' ' + defaultConstraints.maxHeight); }
  async leave() {
    for (const side of this.sides) side.close();
    said('leave');
  }
}
class JitsiConnection {
  emitter = new Emitter();
  constructor(appId, token, options) {
    if (!isReady) throw new Error('init was not called');
    if (options.bosh && !options.serviceUrl) throw new Error('The "bosh" option is no longer supported');
    said('JitsiConnection ' + appId + ' ' + token + ' ' + options.serviceUrl + ' ' + options.hosts.muc);
  }
  addEventListener(name, call) { this.emitter.on(name, call); }
  connect({ name }) {
    said('connect ' + name);
    later(() => {
      this.isThere = true;
      if (name.includes('closed')) this.emitter.emit('connection.failed', 'connection.passwordRequired', 'a room that is closed');
      else this.emitter.emit('connection.established', 'id');
    });
  }
  initJitsiConference(name, config) {
    if (!this.isThere) throw new Error('not connected');
    return new Conference(name, config);
  }
  async disconnect() { said('disconnect'); }
}
return {
  JitsiConnection,
  init: (options) => { isReady = true; said('init'); },
  events: {
    connection: { CONNECTION_ESTABLISHED: 'connection.established', CONNECTION_FAILED: 'connection.failed' },
    conference: { CONFERENCE_JOINED: 'conference.joined', CONFERENCE_FAILED: 'conference.failed' },
  },
  async createLocalTracks({ devices, constraints }) {
    said('createLocalTracks ' + devices);
    const stream = await navigator.mediaDevices.getUserMedia(constraints);
    return stream.getTracks().map((track) => ({ track, stream, getType: () => track.kind }));
  },
};
});
//# sourceMappingURL=lib-jitsi-meet.min.map`;

const config = `var config = {
  hosts: { domain: 'meet.jitsi', muc: 'muc.meet.jitsi' },
  bosh: '/http-bind',
  p2p: { enabled: true },
};`;

export interface JitsiApp extends LocalSite {
  /** "1a join": who called what, in the order of the calls. */
  readonly calls: readonly string[];
}

/** Serves what a Jitsi Meet serves to its own page: the library, and the configuration. */
export async function startJitsiApp(): Promise<JitsiApp> {
  const calls: string[] = [];
  const files: Readonly<Record<string, string>> = { '/libs/lib-jitsi-meet.min.js': library, '/config.js': config };
  const site = await serveSite(async (request, response) => {
    const file = files[request.url ?? ''];
    let text = '';
    for await (const part of request) text += String(part);
    if (text !== '') calls.push(text);
    if (file === undefined && text === '') response.writeHead(404).end();
    else response.setHeader('content-type', 'text/javascript').end(file);
  });
  return { ...site, calls };
}
