import { expect, test } from '@playwright/test';
import { acceptMedia, writeAnswer } from '../embedded-server/media/answer.js';
import { codecKey } from '../embedded-server/media/codec-key.js';
import { type OfferedCodec, readOffer } from './sdp.js';

const transport = ['a=ice-ufrag:abcd', 'a=ice-pwd:secret', 'a=fingerprint:sha-256 AA:BB', 'a=setup:actpass'];
const session = ['v=0', 'o=- 1 2 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=group:BUNDLE v d a', 'a=extmap-allow-mixed'];
const video = ['m=video 9 UDP/TLS/RTP/SAVPF 97 96', 'a=mid:v', 'a=recvonly', 'a=rtpmap:96 VP8/90000', ...transport];
video.push('a=rtpmap:97 rtx/90000', 'a=fmtp:97 apt=96', 'a=rtcp-fb:96 transport-cc', 'a=rtcp-fb:96 goog-remb');
const data = ['m=application 9 UDP/DTLS/SCTP webrtc-datachannel', 'a=mid:d', 'a=sctp-port:5000'];
const audio = ['m=audio 9 UDP/TLS/RTP/SAVPF 111 0', 'a=mid:a', 'a=sendonly', 'a=rtpmap:111 opus/48000/2'];

const nothing = { rtx: false, transportNumbers: false };

function answerTo(lines: readonly string[], taken = nothing): string[] {
  const offer = readOffer(lines.join('\r\n'));
  if (offer === undefined) throw new Error('no offer');
  return writeAnswer(offer, acceptMedia(offer, taken), {
    sessionId: 1,
    ssrcs: { audio: 11, video: 22 },
    rtxSsrc: 33,
    takesData: false,
    cname: 'c',
    iceUfrag: 'u',
    icePwd: 'p',
    fingerprint: 'F',
    candidates: [],
    defaultAddress: undefined,
  }).split('\r\n');
}

test('m-lines are answered in the order of the offer, directions turned round', () => {
  const answer = answerTo([...session, ...video, ...audio]);
  expect(answer.filter((line) => /^(m=|a=(send|recv))/.test(line))).toEqual([
    'm=video 1 UDP/TLS/RTP/SAVPF 96',
    'a=sendonly',
    'm=audio 1 UDP/TLS/RTP/SAVPF 111 0',
    'a=recvonly',
  ]);
});

test('what is not forwarded is rejected and left out of the bundle', () => {
  const answer = answerTo([...session, ...video, ...data, ...audio, ...audio]);
  expect(answer).toContain('a=group:BUNDLE v a');
  expect(answer.filter((line) => line.startsWith('m='))).toEqual([
    'm=video 1 UDP/TLS/RTP/SAVPF 96',
    'm=application 0 UDP/DTLS/SCTP webrtc-datachannel',
    'm=audio 1 UDP/TLS/RTP/SAVPF 111 0',
    'm=audio 0 UDP/TLS/RTP/SAVPF 111',
  ]);
});

test('transport-cc is dropped and goog-remb kept, so that senders obey the cap', () => {
  const answer = answerTo([...session, ...video]);
  expect(answer.filter((line) => line.startsWith('a=rtcp-fb:'))).toEqual(['a=rtcp-fb:96 goog-remb']);
});

test('RTX of a forwarded codec is taken when it is asked for, with a stream of its own; else it is left out', () => {
  const lines = [...session, ...video, 'a=rtpmap:98 rtx/90000', 'a=fmtp:98 apt=120', ...audio];
  const taken = answerTo(lines, { ...nothing, rtx: true }).filter((line) =>
    /^(m=video|a=(rtpmap:9|fmtp|ssrc))/.test(line),
  );
  expect(taken).toEqual([
    'm=video 1 UDP/TLS/RTP/SAVPF 96 97',
    'a=rtpmap:96 VP8/90000',
    'a=rtpmap:97 rtx/90000',
    'a=fmtp:97 apt=96',
    'a=ssrc-group:FID 22 33',
    'a=ssrc:22 cname:c',
    'a=ssrc:33 cname:c',
    'a=ssrc:11 cname:c',
  ]);
  const without = answerTo(lines);
  expect(without.filter((line) => /rtx|FID|:33 /.test(line))).toEqual([]);
  expect(without).toContain('m=video 1 UDP/TLS/RTP/SAVPF 96');
});

test('transport-wide congestion control is taken when it is asked for, in place of abs-send-time, and only with RTX', () => {
  const uris = {
    2: 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time',
    3: 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01',
  };
  const extensions = Object.entries(uris).map(([id, uri]) => `a=extmap:${id} ${uri}`);
  const lines = [...session, ...video, ...extensions, ...audio, ...extensions, 'a=rtcp-fb:111 transport-cc'];
  const taken = (what: typeof nothing, from: readonly string[] = lines) =>
    answerTo(from, what).flatMap((line) => /^a=(extmap:\d|rtcp-fb:.*)/.exec(line)?.[1] ?? []);
  const feedback = ['rtcp-fb:96 transport-cc', 'rtcp-fb:96 goog-remb'];
  // Sound keeps abs-send-time: what it needs is too little to be worth an estimate.
  expect(taken({ rtx: true, transportNumbers: true })).toEqual(['extmap:3', ...feedback, 'extmap:2']);
  const without = ['extmap:2', 'rtcp-fb:96 goog-remb', 'extmap:2'];
  expect(taken({ rtx: true, transportNumbers: false })).toEqual(without);
  expect(taken({ rtx: false, transportNumbers: true })).toEqual(without);
  const noRtx = lines.filter((line) => !line.includes('apt='));
  expect(taken({ rtx: true, transportNumbers: true }, noRtx)).toEqual(without);
});

test('texts without media, credentials or the first line are no offer', () => {
  expect(readOffer('garbage')).toBeUndefined();
  expect(readOffer(session.join('\r\n'))).toBeUndefined();
  expect(readOffer([...session, 'm=video 9 UDP/TLS/RTP/SAVPF 96'].join('\r\n'))).toBeUndefined();
});

test('H.264 of another level is the same codec, of another profile or packetization it is not', () => {
  const key = (fmtp: string): string =>
    codecKey({ name: 'H264', clockRate: 90_000, fmtp, payloadType: 1, rtpmap: '', feedback: [] } as OfferedCodec);
  const own = key('level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f');
  expect(key('packetization-mode=1;profile-level-id=42E034')).toBe(own);
  expect(key('packetization-mode=0;profile-level-id=42e01f')).not.toBe(own);
  expect(key('packetization-mode=1;profile-level-id=4d001f')).not.toBe(own);
});
