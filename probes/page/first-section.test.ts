import { expect, test } from '@playwright/test';
import { withFirstSection } from './first-section.js';

const offer = `v=0
s=-
a=group:BUNDLE 0 1
m=audio 9 UDP/TLS/RTP/SAVPF 111 9
a=mid:0
a=rtpmap:111 opus/48000/2
a=fmtp:111 minptime=10
m=video 9 UDP/TLS/RTP/SAVPF 102
a=mid:1
`.replaceAll('\n', '\r\n');
const refusing = `v=0
s=-
a=group:BUNDLE 1
a=ice-lite
m=audio 0 UDP/TLS/RTP/SAVPF 0
a=inactive
a=mid:0
m=video 51000 UDP/TLS/RTP/SAVPF 102
a=ice-ufrag:mfrag
a=ice-pwd:mpwdmpwdmpwdmpwdmpwdmpwd
a=fingerprint:sha-256 68:DD
a=setup:passive
a=mid:1
a=sendonly
a=candidate:1 1 udp 2130706431 192.0.2.10 51000 typ host
`.replaceAll('\n', '\r\n');

test('a refused first section stays with nothing in it, and has the transport of the first that is taken', () => {
  const lines = withFirstSection(refusing, offer).split('\r\n');
  expect(lines).toContain('a=group:BUNDLE 0 1');
  const audio = lines.slice(
    lines.findIndex((line) => line.startsWith('m=audio')),
    lines.findIndex((line) => line.startsWith('m=video')),
  );
  expect(audio).toEqual([
    'm=audio 9 UDP/TLS/RTP/SAVPF 111',
    'c=IN IP4 0.0.0.0',
    'a=ice-ufrag:mfrag',
    'a=ice-pwd:mpwdmpwdmpwdmpwdmpwdmpwd',
    'a=fingerprint:sha-256 68:DD',
    'a=setup:passive',
    'a=candidate:1 1 udp 2130706431 192.0.2.10 51000 typ host',
    'a=mid:0',
    'a=inactive',
    'a=rtcp-mux',
    'a=rtpmap:111 opus/48000/2',
    'a=fmtp:111 minptime=10',
  ]);
  expect(lines.slice(lines.indexOf('a=rtcp-mux') + 1)).toContain('a=sendonly');
});

test('any other answer is left as it is', () => {
  const allRefused = refusing.replace('m=video 51000', 'm=video 0');
  const secondRefused = refusing.replace('m=audio 0', 'm=audio 9').replace('m=video 51000', 'm=video 0');
  for (const answer of [allRefused, secondRefused, refusing.replace('m=audio 0', 'm=audio 51000'), '', 'v=0'])
    expect(withFirstSection(answer, offer)).toBe(answer);
});
