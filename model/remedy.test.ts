import { expect, test } from '@playwright/test';
import { oneOut, told } from './remedy.js';

test('a way is told as words to type, and one that begins as the one before it says so once', () => {
  expect(told(oneOut('--see', '--media'))).toBe('leave --see out, or --media');
  expect(told({ leave: ['--a', 'video.loss <= 1%'] })).toBe('leave --a and the limit "video.loss <= 1%" out');
  expect(told([{ give: { '--max': 4 }, note: 'or more' }, { give: { '--from': 2 } }])).toBe(
    'give --max 4 or more, or --from 2',
  );
  expect(told({ give: { '--no-record': true }, leave: ['--record'] })).toBe('add --no-record instead of --record');
  expect(told([{ measure: 'group' }, { measure: 'visit', leave: ['--server'] }, 'wait'])).toBe(
    'measure group, or visit without --server, or wait',
  );
});

test('what a shell would read another way is in quotes, and a flag of several values is told several times', () => {
  expect(told({ write: { '--threshold': ['fps >= 3', "it's"] } })).toBe(
    "write for example --threshold 'fps >= 3' --threshold 'it'\\''s'",
  );
});
