import { expect, test } from '@playwright/test';
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
