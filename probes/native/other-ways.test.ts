import { expect, test } from '@playwright/test';
import { RemoteCandidates } from '../../rtp/remote-candidates.js';
import { neverInReach, otherWays } from './other-ways.js';

function ended(description: string, ...lines: readonly string[]) {
  const remote = new RemoteCandidates(() => undefined);
  for (const line of lines) remote.add(line);
  return { remote, description, own: undefined };
}

const tcp = 'candidate:1 1 tcp 1671430143 192.0.2.7 8189 typ host tcptype passive';
const udp = 'candidate:1 1 udp 2130706431 192.0.2.7 8189 typ host';
const last = 'v=0\r\na=end-of-candidates\r\n';
const late = { code: 'ice-timeout', detail: 'no ICE connection in 10 s (state connecting)' } as const;

test('where all candidates are of TCP no server is blamed, and no time is lost once there can be no other', () => {
  const own = {
    code: 'candidates-unusable',
    detail:
      'native probes connect over UDP and IPv4 alone, and all candidates of the server are of TCP: use --media full',
  };
  expect(otherWays(late, [ended('v=0\r\n', tcp)])).toEqual(own);
  expect(neverInReach([ended('v=0\r\n', tcp)])).toBeUndefined();
  expect(neverInReach([ended(last, tcp)])).toEqual(own);
  expect(neverInReach([ended(last, tcp, udp), ended(last)])).toBeUndefined();
});

test('a candidate whose name is being resolved may still be one', () => {
  const named = ended(last, tcp, udp.replace('192.0.2.7', 'localhost'));
  expect(neverInReach([named])).toBeUndefined();
});

test('what a browser would have tried, too, is said where there is no connection', () => {
  expect(otherWays(late, [ended('', udp)])).toEqual(late);
  const iceUrls = ['stun:192.0.2.1', 'turn:192.0.2.1?transport=udp'];
  expect(otherWays(late, [{ ...ended('', udp, tcp), own: { iceUrls } }])).toEqual({
    code: 'ice-timeout',
    detail: `${late.detail}; a browser would try candidates of TCP, turn:192.0.2.1?transport=udp, too`,
  });
});
