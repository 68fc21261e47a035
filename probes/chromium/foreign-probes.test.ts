import { expect, test } from '@playwright/test';
import { foreignOwners } from './foreign-probes.js';

test('browsers of other runs are told by their owner, once each; ours and other programs are not', () => {
  const chromium = (owner: number, name = 'abc') => [
    '/usr/bin/chromium',
    '--headless',
    `--user-data-dir=/tmp/loadline-chromium-${owner}-${name}/profile`,
    '--x',
    '',
  ];
  const commands = [
    chromium(900),
    chromium(900, 'def'),
    chromium(44),
    chromium(7),
    ['/usr/bin/chromium', '--user-data-dir=/home/a'],
    ['node', 'loadline'],
    [''],
  ];
  expect(foreignOwners(commands, 7)).toEqual([44, 900]);
});
