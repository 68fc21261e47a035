// A library module (--library) for the rooms of mediasoup-demo's server, by mediasoup-client: npm install
// mediasoup-client protoo-client beside a copy of this file. APP_PROTOO_URL=wss://mediasoup.example:4443
import { Device } from 'mediasoup-client';
import { Peer, WebSocketTransport } from 'protoo-client';

const device = new Device();
let peer;

export async function join({ session, participant, env }) {
  const where = new URLSearchParams({ roomId: session, peerId: participant });
  peer = new Peer(new WebSocketTransport(`${env.APP_PROTOO_URL}/?${where}`));
  await new Promise((open, failed) => peer.on('open', open).on('failed', () => failed(new Error('no connection'))));
  await device.load({ routerRtpCapabilities: await peer.request('getRouterRtpCapabilities') });
  const sending = await transport('createSendTransport', { producing: true, consuming: false });
  sending.on('produce', ({ kind, rtpParameters, appData }, callback, errback) =>
    peer.request('produce', { transportId: sending.id, kind, rtpParameters, appData }).then(callback, errback),
  );
  const receiving = await transport('createRecvTransport', { producing: false, consuming: true });
  peer.on('request', ({ method, data }, accept, reject) => {
    if (method !== 'newConsumer') return reject(403, 'media only');
    return receiving.consume({ ...data, streamId: data.peerId }).then(
      () => accept(),
      (error) => reject(500, error.message),
    );
  });
  const { rtpCapabilities } = device;
  await peer.request('join', { displayName: participant, device: { name: 'loadline' }, rtpCapabilities });
  const video = { width: 320, height: 180, frameRate: 15 };
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true, video });
  for (const track of stream.getTracks()) await sending.produce({ track });
}

export const leave = () => peer.close();

/** One way of media; both are connected by the same request. */
async function transport(create, ways) {
  const made = device[create](await peer.request('createWebRtcTransport', { forceTcp: false, ...ways }));
  made.on('connect', ({ dtlsParameters }, callback, errback) =>
    peer.request('connectWebRtcTransport', { transportId: made.id, dtlsParameters }).then(callback, errback),
  );
  return made;
}
