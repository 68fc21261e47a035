import { expect, test } from '@playwright/test';
import { kindAt } from '../kind-at.js';
import { productKinds } from './product-kinds.js';

const planned = (url: string) => kindAt(url, productKinds).planned({ kind: '', url });

for (const [url, whip, whep] of [
  ['mediamtx://10.0.0.5', 'http://10.0.0.5:8889/{stream}/whip', 'http://10.0.0.5:8889/{stream}/whep'],
  [
    'mediamtx+https://media.example:443',
    'https://media.example:443/{stream}/whip',
    'https://media.example:443/{stream}/whep',
  ],
  ['live777://[::1]', 'http://[::1]:7777/whip/{stream}', 'http://[::1]:7777/whep/{stream}'],
  ['broadcast-box://h:80', 'http://h:80/api/whip', 'http://h:80/api/whep'],
  [
    'SRS://h',
    'http://h:1985/rtc/v1/whip/?app=live&stream={stream}',
    'http://h:1985/rtc/v1/whep/?app=live&stream={stream}',
  ],
] as const) {
  test(`${url} fills in where its endpoints are`, () => {
    expect(planned(url)).toContain(`published at ${whip} and viewed at ${whep}`);
  });
}

test('an address with more than a host and a port is refused with what to write', () => {
  for (const url of ['mediamtx://', 'mediamtx://h/live', 'mediamtx://u:p@h', 'mediamtx://h:0', 'live777://h?x=1'])
    expect(() => kindAt(url, productKinds), url).toThrow(/cannot be read/);
});

test('what one does not carry is known before it is asked', () => {
  const { abilities } = kindAt('broadcast-box://h', productKinds);
  expect(abilities.codecs.forwards).not.toContain('VP8');
});
