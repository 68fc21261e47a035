import { expect, test } from '@playwright/test';
import type { Leg } from '../../model/scenario.js';
import { offerOf } from './offer.js';

const both: Leg = { id: '1a', sends: ['audio', 'video'], receives: ['audio', 'video'], from: { participant: '1b' } };
const valuesOf = (sdp: string, name: string) => [
  ...new Set(sdp.split('\r\n').filter((line) => line.startsWith(`a=${name}:`))),
];

test('each participant offers credentials and a fingerprint of its own, the same in both of its sections', () => {
  const [one, other] = [offerOf(both), offerOf(both)];
  for (const name of ['ice-ufrag', 'ice-pwd', 'fingerprint']) {
    expect(valuesOf(one, name)).toHaveLength(1);
    expect(valuesOf(one, name)).not.toEqual(valuesOf(other, name));
  }
  // RFC 8445, 5.3: at least 24 bits of chance in the name, 128 in the password, told in at least 4 and 22 characters.
  expect(valuesOf(one, 'ice-ufrag')[0]).toMatch(/^a=ice-ufrag:[\w+/]{4}$/);
  expect(valuesOf(one, 'ice-pwd')[0]).toMatch(/^a=ice-pwd:[\w+/]{24}$/);
  expect(valuesOf(one, 'fingerprint')[0]).toMatch(/^a=fingerprint:sha-256 ([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
});

test('a leg offers what it sends and receives, and nothing else', () => {
  const sends: Leg = { id: '1a', sends: ['video'], receives: [] };
  const receives: Leg = { id: '1a:from-1b', sends: [], receives: ['audio'], from: { participant: '1b' } };
  expect(offerOf(both).match(/a=sendrecv/g)).toHaveLength(2);
  expect(offerOf(sends)).toMatch(/m=video [\s\S]*a=sendonly/);
  expect(offerOf(sends)).not.toContain('m=audio');
  expect(offerOf(receives)).toMatch(/m=audio [\s\S]*a=recvonly/);
  expect(offerOf(receives)).not.toMatch(/a=(ssrc|msid):/);
});
