import { expect, test } from '@playwright/test';
import { allowedAll, allowedOnly } from './allowed.js';

const line = (address: string) => `candidate:1 1 udp 2130706431 ${address} 40000 typ host`;
const sdp = (...addresses: string[]) =>
  ['v=0', 'c=IN IP4 0.0.0.0', ...addresses.map((one) => `a=${line(one)}`), 'a=end-of-candidates'].join('\r\n');

const allowed = allowedOnly(['10.0.0.0/24', '192.0.2.7', '2001:db8::/32', 'Turn.example.com']);

for (const [what, said, forbidden] of [
  ['an address of an allowed network', { description: sdp('10.0.0.9', '10.0.0.200') }, undefined],
  ['an allowed address', { candidate: line('192.0.2.7') }, undefined],
  ['an allowed address of IPv6', { candidate: `a=${line('2001:db8::5')}` }, undefined],
  ['no address', { description: sdp(), candidate: '' }, undefined],
  ['allowed relays', { urls: ['turn:turn.example.com:3478?transport=udp', 'turns:[2001:db8::9]:5349'] }, undefined],
  ['one address of several that is not', { description: sdp('10.0.0.9', '10.0.1.9') }, '10.0.1.9'],
  ['the neighbour of an allowed address', { candidate: line('192.0.2.8') }, '192.0.2.8'],
  ['another network of IPv6', { candidate: line('fe80::1') }, 'fe80::1'],
  ['a name that nobody named', { candidate: line('host.local') }, 'host.local'],
  ['a relay that nobody named', { urls: ['turn:elsewhere.example.com'] }, 'elsewhere.example.com'],
  ['a relay that cannot be read', { urls: ['turn:'] }, 'turn:'],
  [
    'a relay with more behind its port',
    { urls: ['turn:10.0.0.9:3478@evil.example'] },
    'turn:10.0.0.9:3478@evil.example',
  ],
  ['a line that ends at U+2028', { candidate: `${line('10.0.0.9')}\u2028` }, `${line('10.0.0.9')}\u2028`],
  ['a line behind a lone CR', { description: `a=x\ra=${line('192.0.2.8')}\r\n` }, `a=x\ra=${line('192.0.2.8')}`],
  [
    'tabs in the foundation',
    { candidate: line('10.0.0.9').replace('1 1', '1\t1 2') },
    line('10.0.0.9').replace('1 1', '1\t1 2'),
  ],
] as const) {
  test(`of a host that allows some, ${what} ${forbidden === undefined ? 'is visited' : 'is not'}`, () => {
    expect(allowed.forbidden(said)).toBe(forbidden);
    expect(allowedAll.forbidden(said)).toBeUndefined();
  });
}
