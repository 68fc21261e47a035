import { execFileSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { randomFrom } from '../../tests/random.js';
import { shellLine } from './wording.js';

test('a shell splits a command line into the words that it was made of, whatever is in them', () => {
  const random = randomFrom(17);
  const signs = [
    'a',
    '9',
    ' ',
    "'",
    '"',
    '$HOME',
    '`id`',
    '\\',
    '<',
    '>',
    '*',
    '?',
    '&',
    ';',
    '|',
    '#',
    '~',
    '!',
    '\n',
    'ü',
    '=',
  ];
  const words = Array.from({ length: 300 }, () =>
    Array.from({ length: Math.floor(random() * 6) }, () => signs[Math.floor(random() * signs.length)]).join(''),
  );
  const said = execFileSync('sh', ['-c', `printf '%s\\0' ${shellLine(words)}`], { encoding: 'utf8' });
  expect(said.split('\0').slice(0, -1)).toEqual(words);
});

test('words that need no quotes have none', () => {
  expect(shellLine(['loadline', 'find', '--within', '5%', '--sizes', '4,8'])).toBe(
    'loadline find --within 5% --sizes 4,8',
  );
});
