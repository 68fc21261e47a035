import { expect, test } from '@playwright/test';
import { acceptMedia, writeAnswer as answerOfServer } from '../../embedded-server/media/answer.js';
import type { Leg } from '../../model/scenario.js';
import { readOffer } from '../../rtp/sdp.js';
import { sendingFormat } from './agreed-media.js';
import { type RemoteDescription, readDescription, readWhole } from './description.js';
import {
  type Own,
  type OwnTransport,
  writeAnswer as writeAnswerOf,
  writeOffer as writeOfferOf,
} from './own-description.js';
import { offeredSections, takenOf } from './own-sections.js';

const transport: OwnTransport = {
  iceUfrag: 'abcd',
  icePwd: 'a-password-of-22-chars',
  fingerprint: 'AB:CD',
  candidates: [{ address: '10.0.0.7', port: 4000 }],
};
const kinds = ['audio', 'video'] as const;
const streams = { ssrcs: { audio: 11, video: 22 }, resent: 33, cname: '1a' };
const own = (codec: Own['codec'] = 'VP8'): Own => ({ transport, streams, codec, id: 1, nth: 0 });
type Way = Pick<Leg, 'sends' | 'receives' | 'from'>;
const legOf = (way: Way): Leg => ({ id: '1a', ...way });
const writeOffer = (way: Way, mine: Own) => writeOfferOf(offeredSections(legOf(way)), mine);
const writeAnswer = ({ sections }: RemoteDescription, way: Way, mine: Own) =>
  writeAnswerOf(sections, takenOf(sections, legOf(way), mine.codec), mine);
const viewer = { sends: [], receives: kinds };
const caller = { sends: kinds, receives: kinds };
const presenter = { sends: kinds, receives: [] };
const directionsIn = (sdp: string) => sdp.match(/^a=(sendrecv|sendonly|recvonly|inactive)/gm);

const answered = (offer: string, taken = { rtx: true, transportNumbers: true }) => {
  const read = readOffer(offer);
  if (!read) throw new Error('the offer cannot be read');
  return answerOfServer(read, acceptMedia(read, taken), {
    sessionId: 1,
    ssrcs: { audio: 1, video: 2 },
    rtxSsrc: 3,
    takesData: false,
    cname: 'server',
    iceUfrag: 'efgh',
    icePwd: 'another-password-of-22',
    fingerprint: 'EF:01',
    candidates: ['candidate:1 1 udp 2122260223 10.0.0.1 5000 typ host'],
    defaultAddress: undefined,
  });
};

test('what is offered of each codec is what a server accepts, with resending and transport-wide numbers', () => {
  for (const codec of ['VP8', 'H264'] as const) {
    const described = readDescription(answered(writeOffer(viewer, own(codec))));
    expect(described).toMatchObject({
      transport: { iceUfrag: 'efgh', fingerprints: [{ algorithm: 'sha-256', value: 'EF:01' }] },
      role: 'server',
    });
    // The server repeats it in each section.
    expect(new Set(described?.candidates)).toEqual(new Set(['candidate:1 1 udp 2122260223 10.0.0.1 5000 typ host']));
    const video = described?.media.find(({ kind }) => kind === 'video');
    expect(video?.codecs.get(96)).toMatchObject({ name: codec.toLowerCase(), clockRate: 90_000 });
    expect([...(video?.repairs ?? [])]).toEqual([[97, 96]]);
    expect(video?.transportNumberId).toBe(3);
  }
});

test('a server that takes neither is told the rate by REMB, and resends on the stream itself', () => {
  const plain = readDescription(answered(writeOffer(viewer, own()), { rtx: false, transportNumbers: false }));
  const video = plain?.media.find(({ kind }) => kind === 'video');
  expect(video).toMatchObject({ transportNumberId: undefined, takesRemb: true });
  expect(video?.repairs.size).toBe(0);
});

const offerOfServer = [
  'v=0',
  'o=- 1 1 IN IP4 10.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE a v x',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 0',
  'a=ice-ufrag:efgh',
  'a=ice-pwd:another-password-of-22',
  'a=fingerprint:sha-256 EF:01',
  'a=setup:actpass',
  'a=mid:a',
  'a=sendonly',
  'a=rtpmap:111 opus/48000/2',
  'm=video 9 UDP/TLS/RTP/SAVPF 120 121 100',
  'a=mid:v',
  'a=sendonly',
  'a=extmap:5 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
  'a=rtpmap:120 VP8/90000',
  'a=rtcp-fb:120 nack',
  'a=rtcp-fb:120 transport-cc',
  'a=rtcp-fb:120 something-else',
  'a=rtpmap:121 rtx/90000',
  'a=fmtp:121 apt=120',
  'a=rtpmap:100 VP9/90000',
  'm=video 9 UDP/TLS/RTP/SAVPF 120',
  'a=mid:x',
  'a=sendonly',
  'a=rtpmap:120 VP8/90000',
  'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
  'a=mid:d',
].join('\r\n');

test("a server's offer is answered section by section: one stream of each kind with our codec, data channels, and everything else refused", () => {
  const described = readDescription(offerOfServer);
  if (!described) throw new Error('the offer cannot be read');
  // The server leaves the choice, and the answer makes us the client (RFC 8842, 5.3).
  expect(described.role).toBeUndefined();
  const answer = writeAnswer(described, viewer, own());
  expect(answer.match(/^m=.*$/gm)?.map((line) => line.trim())).toEqual([
    'm=audio 9 UDP/TLS/RTP/SAVPF 111',
    'm=video 9 UDP/TLS/RTP/SAVPF 120 121',
    'm=video 0 UDP/TLS/RTP/SAVPF 120',
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
  ]);
  expect(answer).toContain('a=group:BUNDLE a v d\r\n');
  expect(answer).toContain('a=setup:active');
  expect(answer).toContain('a=extmap:5 http');
  expect(answer).toContain('a=rtcp-fb:120 transport-cc');
  expect(answer).not.toContain('something-else');
  expect(answer).toContain('a=candidate:1 1 udp 2130706431 10.0.0.7 4000 typ host');
});

test('who sends offers it in the section of what is received, with its SSRCs, and learns as what the server takes it', () => {
  for (const codec of ['VP8', 'H264'] as const) {
    const offer = writeOffer(caller, own(codec));
    expect(directionsIn(offer)).toEqual(['a=sendrecv', 'a=sendrecv']);
    expect(offer).toContain('a=ssrc-group:FID 22 33\r\n');
    expect(offer).toContain('a=ssrc:11 cname:1a\r\n');
    const media = readDescription(answered(offer))?.media ?? [];
    expect(media.map(({ theySend, theyTake }) => [theySend, theyTake])).toEqual([
      [true, true],
      [true, true],
    ]);
    const formats = media.map((one) => sendingFormat(one, codec));
    expect(formats).toEqual([
      { payloadType: 111, clockRate: 48_000, resentAs: undefined },
      { payloadType: 96, clockRate: 90_000, resentAs: 97 },
    ]);
  }
  expect(directionsIn(writeOffer(presenter, own()))).toEqual(['a=sendonly', 'a=sendonly']);
  expect(directionsIn(writeOffer({ sends: ['audio'], receives: kinds }, own()))).toEqual(['a=sendrecv', 'a=recvonly']);
  expect(writeOffer(viewer, own())).not.toContain('a=ssrc');
});

test('a video in layers is offered by its rids, the highest first and without SSRCs, and the server says which it takes', () => {
  const layers = ['l', 'm', 'h'].map((rid, nth) => ({ rid, ssrc: 40 + nth, resent: 50 + nth }));
  const offer = writeOffer(presenter, { ...own(), streams: { ...streams, layers } });
  expect(offer.match(/^a=(rid|simulcast|ssrc-group):.*$/gm)?.map((line) => line.trim())).toEqual([
    ...['a=rid:h send', 'a=rid:m send', 'a=rid:l send', 'a=simulcast:send h;m;l'],
  ]);
  expect(offer).not.toContain('a=ssrc:22');
  const video = readDescription(answered(offer))?.media.find(({ kind }) => kind === 'video');
  expect(video?.layers).toEqual({ rids: ['h', 'm', 'l'], ridId: 10, repairedRidId: undefined });
});

test('a server that offers to take our media is sent it, in the sections that it names, and never in two of a kind', () => {
  const described = readDescription(
    offerOfServer.replace('a=sendonly', 'a=sendrecv').replace('a=mid:x\r\na=sendonly', 'a=mid:x\r\na=recvonly'),
  );
  if (!described) throw new Error('the offer cannot be read');
  const answer = writeAnswer(described, caller, own());
  // The audio both ways; the first video is received, and the second one, which the server only takes, is sent.
  expect(directionsIn(answer)).toEqual(['a=sendrecv', 'a=recvonly', 'a=sendonly']);
  expect(answer.match(/^a=ssrc:22 cname/gm)).toHaveLength(1);
  const formats = described.media.filter(({ theyTake }) => theyTake).map((one) => sendingFormat(one, 'VP8'));
  expect(formats).toEqual([
    { payloadType: 111, clockRate: 48_000, resentAs: undefined },
    { payloadType: 120, clockRate: 90_000, resentAs: undefined },
  ]);
});

test('H264 is sent as what the clip is, and as nothing else', () => {
  const media = (fmtp: string) => {
    const sdp = offerOfServer
      .replaceAll('VP8/90000', 'H264/90000')
      .replace('a=rtcp-fb:120 nack', `a=fmtp:120 ${fmtp}\r\na=rtcp-fb:120 nack`);
    return readDescription(sdp)?.media.find(({ kind }) => kind === 'video');
  };
  const formatOf = (fmtp: string) => {
    const one = media(fmtp);
    return one && sendingFormat(one, 'H264')?.payloadType;
  };
  expect(formatOf('level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f')).toBe(120);
  expect(formatOf('packetization-mode=0;profile-level-id=42e01f')).toBeUndefined();
  expect(formatOf('packetization-mode=1;profile-level-id=640032')).toBeUndefined();
});

test('what has no credentials or no media is no description', () => {
  expect(readDescription('v=0\r\ns=-\r\n')).toBeUndefined();
  expect(readDescription(offerOfServer.replace('a=ice-pwd:another-password-of-22\r\n', ''))).toBeUndefined();
});

const rejectedFirst = `v=0
o=- 1 2 IN IP4 127.0.0.1
s=-
t=0 0
a=group:BUNDLE 1
a=ice-lite
m=audio 0 UDP/TLS/RTP/SAVPF 0
c=IN IP4 0.0.0.0
a=setup:active
a=mid:0
m=video 51000 UDP/TLS/RTP/SAVPF 102
c=IN IP4 192.0.2.10
a=ice-ufrag:mfrag
a=ice-pwd:mpwdmpwdmpwdmpwdmpwdmpwd
a=fingerprint:sha-256 68:DD
a=setup:passive
a=mid:1
a=sendonly
a=rtcp-mux
a=rtpmap:102 H264/90000
a=candidate:1 1 udp 2130706431 192.0.2.10 51000 typ host
`;

test('the transport is that of the first section that is not rejected, and nothing is taken from a rejected one', () => {
  for (const ends of ['\n', '\r\n']) {
    const described = readWhole(rejectedFirst.replaceAll('\n', ends));
    expect(described.transport).toMatchObject({ iceUfrag: 'mfrag', fingerprints: [{ value: '68:DD' }] });
    expect([described.role, described.media.map(({ kind }) => kind)]).toEqual(['client', ['video']]);
    expect(described.candidates).toHaveLength(1);
  }
});

test('a BUNDLE group with a section that is not there is refused by its name, as by a browser', () => {
  const cut = offerOfServer.replace('BUNDLE a v x', 'BUNDLE a v 15a=ice-options:trickle');
  expect(() => readWhole(cut)).toThrow('the BUNDLE group names "15a=ice-options:trickle", which no media section is');
  const sections = Array.from(
    { length: 200 },
    (_, mid) => `m=audio 9 UDP/TLS/RTP/SAVPF 111\na=mid:${mid}\na=rtpmap:111 opus/48000/2`,
  );
  const mids = Array.from({ length: 151 }, (_, mid) => mid).join(' ');
  const transportLines = 'a=ice-ufrag:abcd\na=ice-pwd:abcdefghijklmnopqrstuv\na=fingerprint:sha-256 AA:AA';
  const long = `v=0\n${transportLines}\na=group:BUNDLE ${mids} 15a=ice-options:trickle\n${sections.join('\n')}\n`;
  const startedMs = performance.now();
  expect(() => readWhole(long)).toThrow('the BUNDLE group names');
  expect(performance.now() - startedMs).toBeLessThan(500);
});
