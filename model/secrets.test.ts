import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { randomFrom } from '../tests/random.js';
import { redactedCopy, withoutSecrets, wordsWithoutSecrets } from './secrets.js';

const cases: readonly (readonly [string, string])[] = [
  ['ws://host:8888/kurento', 'ws://host:8888/kurento'],
  ['wss://host/kurento?token=s3cr.et~&x=1', 'wss://host/kurento?token=***&x=1'],
  ['janus+ws://me:s3cret@host:8188/', 'janus+ws://me:***@host:8188/'],
  ['curl -H "Authorization: Bearer abcdefgh"', 'curl -H "Authorization: Bearer ***"'],
  ['curl -H "authorization: bearer abcdefgh"', 'curl -H "authorization: bearer ***"'],
  ['curl -H "X-Api-Key: abcdefgh" -H "Accept: text"', 'curl -H "X-Api-Key: ***" -H "Accept: text"'],
  ['http://me:s3cret@with@at@host/', 'http://me:***@host/'],
  ['ssh host sudo systemctl restart media', 'ssh host sudo systemctl restart media'],
  ["API_KEY='a b' ./restart --password hunter2 --force", 'API_KEY=*** ./restart --password *** --force'],
  ['DB_PASSWORD=x ./restart --token=y', 'DB_PASSWORD=*** ./restart --token=***'],
  ['kurento://[::1]:8888', 'kurento://[::1]:8888'],
  ['{"access_token": "a\\"b", "x":1}', '{"access_token": "***", "x":1}'],
  ["{'password': 'a b', 'x': 1}", "{'password': '***', 'x': 1}"],
  ['{"password":123456,"pin":1}', '{"password":***,"pin":1}'],
  ['{"token":"cut in the mid', '{"token":"***'],
  ['{"token_type":"Bearer","token":""}', '{"token_type":"Bearer","token":"***"}'],
  ['login failed, password: hunter2; try again', 'login failed, password: ***; try again'],
  ['https://host/whip?tokens=a,b&x=1', 'https://host/whip?tokens=***&x=1'],
  ['to=https%3A%2F%2Fhost%2F%3Ftoken%3Ds3cret', 'to=https%3A%2F%2Fhost%2F%3Ftoken%3D***'],
  ['DB_PWD=x; pwd:\u00a0hunter2', 'DB_PWD=***; pwd:\u00a0***'],
  ['https://s3cret@host/whip', 'https://***@host/whip'],
  ...['token: missing', 'password: it is not set', 'no password: whoever comes', 'token: refused (401)', 'me@host'].map(
    (text) => [text, text] as const,
  ),
];

for (const [text, clean] of cases) {
  test(`"${text}" is stored as "${clean}"`, () => expect(withoutSecrets(text)).toBe(clean));
}

test('a flag and its secret are two words of a command line, and what is not named a secret stays', () => {
  const words = ['loadline', 'find', '--api-secret', 'abc', '--server', 'ws://h/?token=abc', '--size', '4'];
  expect(wordsWithoutSecrets(words)).toEqual([
    ...['loadline', 'find', '--api-secret', '***', '--server', 'ws://h/?token=***', '--size', '4'],
  ]);
  expect(wordsWithoutSecrets(['--token', '--size', '4'])).toEqual(['--token', '--size', '4']);
});

test('every text in a value is looked at, and its shape stays', () => {
  const value = { kind: 'x', port: 1, none: null, list: [{ url: 'ws://h/?token=abc' }] };
  expect(redactedCopy(value)).toEqual({ ...value, list: [{ url: 'ws://h/?token=***' }] });
});

/** What a secret may be made of where it stands; never one of the words that say something of it. */
const places: readonly { readonly alphabet: string; readonly put: (secret: string) => string }[] = [
  { alphabet: 'aZ09 "\\\'{}:,;=&@/\n-', put: (secret) => JSON.stringify({ id: 1, api_key: secret, last: 'end' }) },
  {
    alphabet: 'aZ09 "\\\'{}:,;=&@/\n-',
    put: (secret) => JSON.stringify({ body: JSON.stringify({ password: secret, last: 'end' }) }),
  },
  {
    alphabet: 'aZ09 "\\{}:,-',
    put: (secret) => JSON.stringify([JSON.stringify({ in: JSON.stringify({ token: secret, last: 'end' }) })]),
  },
  { alphabet: 'aZ09-._~+/=:', put: (secret) => `refused with password: ${secret}, end` },
  { alphabet: 'aZ09-._~+%!$', put: (secret) => `GET https://${secret}@host/end` },
  { alphabet: 'aZ09-._~+/=:@', put: (secret) => `GET ws://host/?token=${secret}&x=end` },
];

test('no secret that has a name survives, and what is behind it stays', () => {
  const random = randomFrom(7);
  const leaks: string[] = [];
  for (const { alphabet, put } of places) {
    for (let nth = 0; nth < 300; nth += 1) {
      const length = 1 + Math.floor(random() * 12);
      const some = Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
      const secret = `q${some}q`;
      const clean = withoutSecrets(put(secret));
      if (clean !== put('***')) leaks.push(`${put(secret)} => ${clean}`);
    }
  }
  expect(leaks).toEqual([]);
});

test('what the pages say is ordinary text: none of it is taken for a secret but what is shown as one', () => {
  const folder = fileURLToPath(new URL('../docs/', import.meta.url));
  const pages = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((name) => name.endsWith('.md'));
  const lines = pages.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));
  const ordinary = lines.filter((line) => !/(token|password|secret|passw)=|:\/\/\w+@|\.{3}|…/i.test(line));
  expect(ordinary.filter((line) => withoutSecrets(line) !== line)).toEqual([]);
});
