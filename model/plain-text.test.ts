import { expect, test } from '@playwright/test';
import { LoadlineError } from './errors.js';
import { plainJson, plainText, shortText } from './plain-text.js';

test('nothing in the text of others moves a cursor, colours, or turns the direction of writing', () => {
  const said = 'ok\r\nüñ\t–\u001b[2J\u001b]0;title\u0007\u009b31m\u202egnp\u2028\u0000\u007f\r';
  expect(plainText(said)).toBe('ok\nüñ\t–\ufffd[2J\ufffd]0;title\ufffd\ufffd31m\ufffdgnp\ufffd\ufffd\ufffd\ufffd');
});

test('long text is cut, and says how long it was', () => {
  expect(shortText('abcdef', 6)).toBe('abcdef');
  expect(shortText('abcdefg', 3)).toBe('abc… (7 characters)');
});

test('an error shows neither control characters of a server nor the login of an address', () => {
  const error = new LoadlineError('E_SERVER_REFUSED', 'refused: \u001b[2J', {
    where: 'ws://me:hunter2@host:8888/kurento?token=abcdef',
    why: 'told \u0007',
  });
  expect([error.message, error.where, error.why]).toEqual([
    'refused: \ufffd[2J',
    'ws://me:***@host:8888/kurento?token=***',
    'told \ufffd',
  ]);
});

test('every text of a JSON document is made plain before it is read, by its escapes and as it stands', () => {
  const said = { 'k\u0007': ['a\r\nb\rc', '\u001b[2J', '\b\f', '\u009b\u202e\u2028\u007f'], kept: 'ü – \\u001b "\n\t' };
  const read = {
    'k\ufffd': ['a\r\nb\ufffdc', '\ufffd[2J', '\ufffd\ufffd', '\ufffd\ufffd\ufffd\ufffd'],
    kept: said.kept,
  };
  expect(JSON.parse(plainJson(JSON.stringify(said)))).toEqual(read);
  expect(JSON.parse(plainJson('"\\u001B\\u202E\\u000A\\\\u001b"'))).toBe('\ufffd\ufffd\n\\u001b');
});
