import { expect, test } from '@playwright/test';
import type { Leg } from '../../model/scenario.js';
import { withVideoCap } from './video-cap.js';

const leg: Leg = { id: '1a', sends: ['audio', 'video'], receives: [] };
const audio = 'm=audio 9 UDP/TLS/RTP/SAVPF 111\r\nc=IN IP4 0.0.0.0\r\na=mid:0\r\na=recvonly\r\n';
const remb = 'a=rtcp-fb:96 goog-remb\r\n';
const numbered =
  'a=extmap:3 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01\r\na=rtcp-fb:96 transport-cc\r\n';
const answer = (attributes: string, before = 'c=IN IP4 0.0.0.0\r\n') =>
  `v=0\r\ns=-\r\n${audio}m=video 9 UDP/TLS/RTP/SAVPF 96\r\n${before}a=mid:1\r\na=recvonly\r\n${attributes}`;

test('our cap is written where a server agrees to no REMB and names no bandwidth, before the attributes of the video', () => {
  const { sdp, control } = withVideoCap(answer(numbered), leg, 800);
  expect(sdp).toBe(answer(numbered, 'c=IN IP4 0.0.0.0\r\nb=TIAS:823000\r\n'));
  expect(control).toEqual({ leg: '1a', feedback: ['transport-cc'], writtenKbps: 823 });
  expect(withVideoCap(answer(''), { ...leg, sends: ['video'] }, 800).control).toEqual({
    leg: '1a',
    feedback: [],
    writtenKbps: 800,
  });
});

test('what the server says stays as it is, and is told', () => {
  for (const [given, control] of [
    [answer(remb), { feedback: ['remb'] }],
    [answer(remb + numbered), { feedback: ['remb', 'transport-cc'] }],
    [answer(numbered, 'b=AS:300\r\nb=TIAS:250000\r\n'), { feedback: ['transport-cc'], serverKbps: 250 }],
    [answer('', 'b=AS:300\r\nb=RS:0\r\n'), { feedback: [], serverKbps: 300 }],
    [answer(remb, `b=AS:${'9'.repeat(400)}\r\n`), { feedback: ['remb'] }],
  ] as const) {
    expect(withVideoCap(given, leg, 500)).toEqual({ sdp: given, control: { leg: '1a', ...control } });
  }
});

test('feedback by the times of packets needs the extension that numbers them', () => {
  const { control } = withVideoCap(answer('a=rtcp-fb:96 transport-cc\r\n'), leg, 500);
  expect(control).toMatchObject({ feedback: [] });
});

test('a section that the server does not take video in is none', () => {
  for (const refused of [
    answer('').replace('m=video 9', 'm=video 0'),
    answer('').replace('a=mid:1\r\na=recvonly', 'a=mid:1\r\na=sendonly'),
    'v=0\r\n',
  ]) {
    expect(withVideoCap(refused, leg, 500)).toEqual({ sdp: refused });
  }
});
