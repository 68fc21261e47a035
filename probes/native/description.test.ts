import { expect, test } from '@playwright/test';
import { acceptMedia, writeAnswer as answerOfServer } from '../../embedded-server/media/answer.js';
import { readOffer } from '../../embedded-server/media/sdp.js';
import { type OwnTransport, readDescription, writeAnswer, writeOffer } from './description.js';

const own: OwnTransport = {
  iceUfrag: 'abcd',
  icePwd: 'a-password-of-22-chars',
  fingerprint: 'AB:CD',
  candidates: [{ address: '10.0.0.7', port: 4000 }],
};
const kinds = ['audio', 'video'] as const;

const answered = (offer: string, taken = { rtx: true, transportNumbers: true }) => {
  const read = readOffer(offer);
  if (!read) throw new Error('the offer cannot be read');
  return answerOfServer(read, acceptMedia(read, taken), {
    sessionId: 1,
    ssrcs: { audio: 1, video: 2 },
    rtxSsrc: 3,
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
    const described = readDescription(answered(writeOffer(kinds, codec, own)));
    expect(described).toMatchObject({
      transport: { iceUfrag: 'efgh', fingerprints: [{ algorithm: 'sha-256', value: 'EF:01' }] },
      role: 'server',
    });
    // The server repeats it in each section.
    expect(new Set(described?.candidates)).toEqual(new Set(['candidate:1 1 udp 2122260223 10.0.0.1 5000 typ host']));
    const video = described?.media.find(({ kind }) => kind === 'video');
    expect(video?.codecs.get(96)).toEqual({ name: codec.toLowerCase(), clockRate: 90_000 });
    expect([...(video?.repairs ?? [])]).toEqual([[97, 96]]);
    expect(video?.transportNumberId).toBe(3);
  }
});

test('a server that takes neither is told the rate by REMB, and resends on the stream itself', () => {
  const plain = readDescription(answered(writeOffer(kinds, 'VP8', own), { rtx: false, transportNumbers: false }));
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

test("a server's offer is answered section by section: one stream of each kind with our codec, and everything else refused", () => {
  const described = readDescription(offerOfServer);
  if (!described) throw new Error('the offer cannot be read');
  // The server leaves the choice, and the answer makes us the client (RFC 8842, 5.3).
  expect(described.role).toBeUndefined();
  const answer = writeAnswer(described, kinds, 'VP8', own);
  expect(answer.match(/^m=.*$/gm)?.map((line) => line.trim())).toEqual([
    'm=audio 9 UDP/TLS/RTP/SAVPF 111',
    'm=video 9 UDP/TLS/RTP/SAVPF 120 121',
    'm=video 0 UDP/TLS/RTP/SAVPF 120',
    'm=application 0 UDP/DTLS/SCTP webrtc-datachannel',
  ]);
  expect(answer).toContain('a=group:BUNDLE a v\r\n');
  expect(answer).toContain('a=setup:active');
  expect(answer).toContain('a=extmap:5 http');
  expect(answer).toContain('a=rtcp-fb:120 transport-cc');
  expect(answer).not.toContain('something-else');
  expect(answer).toContain('a=candidate:1 1 udp 2130706431 10.0.0.7 4000 typ host');
});

test('what has no credentials or no media is no description', () => {
  expect(readDescription('v=0\r\ns=-\r\n')).toBeUndefined();
  expect(readDescription(offerOfServer.replace('a=ice-pwd:another-password-of-22\r\n', ''))).toBeUndefined();
});
