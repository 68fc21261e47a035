import { expect, test } from '@playwright/test';
import { withPauses } from './pauses.js';

const sdp = (...audio: readonly string[]) =>
  [
    'v=0',
    's=-',
    'm=audio 9 UDP/TLS/RTP/SAVPF 111',
    ...audio,
    'm=video 9 UDP/TLS/RTP/SAVPF 96',
    'a=fmtp:96 x=1',
    '',
  ].join('\r\n');

test('a server that says nothing of pauses is read as one that wishes them, for its sound alone', () => {
  const [map, format] = ['a=rtpmap:111 opus/48000/2', 'a=fmtp:111 minptime=10;useinbandfec=1'];
  expect(withPauses(sdp(map, format))).toBe(sdp(map, `${format};usedtx=1`));
  expect(withPauses(sdp(map))).toBe(sdp(map, 'a=fmtp:111 usedtx=1'));
});

test('what a server says of pauses itself holds, and other codecs have none', () => {
  for (const said of [sdp('a=rtpmap:111 opus/48000/2', 'a=fmtp:111 usedtx=0'), sdp('a=rtpmap:0 PCMU/8000')])
    expect(withPauses(said)).toBe(said);
});
