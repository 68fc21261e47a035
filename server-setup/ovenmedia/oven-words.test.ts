import { expect, test } from '@playwright/test';
import { takenOf } from '../../probes/native/own-sections.js';
import { readOffer as readSdp } from '../../rtp/sdp.js';
import { readOffer, refusalIn } from './oven-words.js';

/** Of its page on streaming by WebRTC ("Custom player"), where its relay is named, too. */
const documented = {
  candidates: [{ candidate: 'candidate:0 1 UDP 50 192.168.0.200 10006 typ host', sdpMLineIndex: 0 }],
  code: 200,
  command: 'offer',
  ice_servers: [{ credential: 'airen', urls: ['turn:192.168.0.200:3478?transport=tcp'], user_name: 'ome' }],
  id: 506764844,
  peer_id: 0,
  sdp: { type: 'offer', sdp: 'v=0\r\n' },
};

test('the documented offer is read: its ids, candidates, and the relay under its own word for a user', () => {
  expect(readOffer(documented)).toEqual({
    sdp: 'v=0\r\n',
    ids: { id: 506764844, peer_id: 0 },
    candidates: [{ candidate: documented.candidates[0]?.candidate, sdpMid: null, sdpMLineIndex: 0 }],
    iceServers: [{ urls: ['turn:192.168.0.200:3478?transport=tcp'], username: 'ome', credential: 'airen' }],
  });
  const newer = { ...documented, iceServers: [{ urls: ['turn:a'], username: 'new', credential: 'x' }] };
  expect(readOffer(newer)?.iceServers).toEqual([{ urls: ['turn:a'], username: 'new', credential: 'x' }]);
  for (const other of [{ command: 'notification' }, { ...documented, id: 'x' }, { ...documented, sdp: null }]) {
    expect(readOffer(other)).toBeUndefined();
  }
});

test('one error has three causes: it is told with all of them, and a viewer alone comes again', () => {
  const none = { code: 404, error: 'Cannot create offer' };
  const asViewer = refusalIn(none, 'view', 'ws://host:3333/app/x');
  expect([asViewer?.isNotThere, asViewer?.message]).toEqual([true, 'The OvenMediaEngine gives no such stream.']);
  expect(asViewer?.why).toContain('404 Cannot create offer');
  const asPublisher = refusalIn(none, 'publish', 'ws://host:3333/app/x');
  expect([asPublisher?.isNotThere, asPublisher?.code]).toEqual([false, 'E_SERVER_REFUSED']);
  expect(asPublisher?.why).toMatch(/no such application, has no WebRTC provider in it, or refuses what was shown/);
  expect(asPublisher?.todo).toContain('LOADLINE_OVENMEDIA_QUERY');
});

test('what it says to an answer or an id that it does not take is a no, and its notifications are none', () => {
  expect(refusalIn({ code: 403, error: 'Forbidden' }, 'view', 'x')?.message).toContain(
    'does not let the connection in',
  );
  expect(refusalIn({ code: 400, error: 'Invalid ID' }, 'view', 'x')?.why).toBe('400 Invalid ID');
  for (const other of [documented, { command: 'notification', type: 'event' }]) {
    expect(refusalIn(other, 'view', 'x')).toBeUndefined();
  }
});

/** In the form in which it writes its offer to who publishes: video first, keys for all sections, names in capitals. */
const toPublish = [
  'v=0',
  'o=OvenMediaEngine 101 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE eQ5rGp TxUzNb',
  'a=group:LS eQ5rGp TxUzNb',
  'a=msid-semantic:WMS 2Zm9',
  'a=extmap-allow-mixed',
  `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => '0A').join(':')}`,
  'a=ice-options:trickle',
  'a=ice-ufrag:Cn8fWfQ6',
  'a=ice-pwd:h0Q4cVbGmXyZ1rT2uJ3kL5nP7sD9fA6e',
  'm=video 9 UDP/TLS/RTP/SAVPF 100 101',
  'c=IN IP4 0.0.0.0',
  'a=recvonly',
  'a=mid:eQ5rGp',
  'a=setup:actpass',
  'a=rtcp-mux',
  'a=extmap:1 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
  'a=rtpmap:100 H264/90000',
  'a=fmtp:100 packetization-mode=1;profile-level-id=42e01f;level-asymmetry-allowed=1',
  'a=rtcp-fb:100 transport-cc',
  'a=rtpmap:101 VP8/90000',
  'a=rtcp-fb:101 nack pli',
  'm=audio 9 UDP/TLS/RTP/SAVPF 102',
  'c=IN IP4 0.0.0.0',
  'a=recvonly',
  'a=mid:TxUzNb',
  'a=setup:actpass',
  'a=rtcp-mux',
  'a=rtpmap:102 OPUS/48000/2',
  'a=fmtp:102 sprop-stereo=1;stereo=1;minptime=10;useinbandfec=1',
  '',
].join('\r\n');

for (const [codec, payloadType] of [
  ['VP8', 101],
  ['H264', 100],
] as const) {
  test(`a native probe publishes sound and ${codec} in the sections that such an offer has`, () => {
    const offer = readSdp(toPublish);
    const leg = { id: '1a', sends: ['audio', 'video'], receives: [] } as const;
    const taken = takenOf(offer?.media ?? [], leg, codec);
    expect(taken.map((one) => one && [one.kind, one.sends, one.codecs[0]?.payloadType])).toEqual([
      ['video', true, payloadType],
      ['audio', true, 102],
    ]);
    expect(offer?.transport).toMatchObject({ iceUfrag: 'Cn8fWfQ6' });
  });
}
