import { expect, test } from '@playwright/test';
import { candidateLinesOf, readCandidateLine } from './ice-candidate.js';

test('candidates as servers write them are read', () => {
  expect(readCandidateLine('a=candidate:1 1 UDP 2015363327 127.0.0.1 35123 typ host')).toEqual({
    foundation: '1',
    component: 1,
    transport: 'udp',
    priority: 2015363327,
    address: '127.0.0.1',
    port: 35123,
    type: 'host',
  });
  for (const line of [
    'candidate:5 2 tcp 1015021823 fe80::1 9 typ host tcptype active generation 0 ',
    'candidate:3498147984 1 udp 2130706431 host.local 40000 typ srflx raddr 0.0.0.0 rport 0 generation 0 ufrag aB+/ network-id 1',
    'candidate:a+/0 1 udp 1 2001:db8::5 1 TYP relay',
  ])
    expect(readCandidateLine(line), line).toBeDefined();
});

test('what another reader might read otherwise is no candidate', () => {
  const fields = ['1', '1', 'udp', '2130706431', '10.0.0.9', '40000', 'typ', 'host'];
  const lines = ['\t', '  ', '\r', '\u2028', '\u00a0', '\v', '\n'].flatMap((mark) => [
    `candidate:${fields.join(mark)}`,
    `candidate:${fields.join(' ')}${mark}`,
    `candidate:x${mark}${fields.join(' ')}`,
    `${mark}candidate:${fields.join(' ')}`,
  ]);
  // Spaces at the end alone are written by real servers, and change no field.
  const read = lines.filter((line) => readCandidateLine(line) !== undefined);
  expect(read).toEqual([`candidate:${fields.join(' ')}  `]);
  expect(readCandidateLine(`candidate:${fields.join(' ').replace('40000', '99999')}`)).toBeUndefined();
});

test('each line of a description that names candidates is given, wherever a reader might end it', () => {
  const odd = 'a=x:1\ra=candidate:1 1 udp 1 192.0.2.1 1 typ host';
  const sdp = ['v=0', 'a=candidate:1 1 udp 1 10.0.0.9 1 typ host', odd, 'A=CANDIDATE:2', 'a=end-of-candidates', ''];
  expect(candidateLinesOf(sdp.join('\r\n'))).toEqual([sdp[1], odd, 'A=CANDIDATE:2']);
});
