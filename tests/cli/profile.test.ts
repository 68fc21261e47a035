import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Command } from 'commander';
import { typed } from '../../cli/options/flag.js';
import { addSearchFlags, readSearchRequest, type SearchWords } from '../../cli/options/search-request.js';
import { applyProfile, profiles } from '../../cli/profiles/index.js';
import { serverKinds } from '../../server-setup/kinds.js';
import { testRefusals } from './refusals.js';
import { runHere } from './run-here.js';

const plan = (...args: readonly string[]) => runHere(['plan', ...args, '--max', '1', '--format', 'json']);

/** Whatever this host carries. */
function planOf(scenario: string, ...args: readonly string[]) {
  const command = addSearchFlags(new Command().exitOverride(), serverKinds);
  command.parse([...args, '--server', 'embedded'], { from: 'user' });
  applyProfile(command, scenario);
  return readSearchRequest(scenario, command.opts<SearchWords>(), serverKinds).plan;
}

const flagsOf = (sets: object) =>
  Object.entries(sets).flatMap(([name, word]) => (word === true ? [typed(name)] : [typed(name), String(word)]));

for (const { name, scenarios = ['sfu-group', 'one-to-one'], sets, sources } of profiles) {
  test(`--profile ${name} is the same plan as its flags, and says where they are from`, () => {
    expect(sources.length).toBeGreaterThan(0);
    for (const scenario of scenarios) {
      expect(planOf(scenario, '--profile', name)).toEqual(planOf(scenario, ...flagsOf(sets)));
    }
    const page = readFileSync(new URL('../../docs/reference/measuring.md', import.meta.url), 'utf8');
    expect(page).toContain(
      `| \`${name}\` | ${scenarios.length === 1 ? `\`${scenarios[0]}\`` : 'all'} | \`${flagsOf(sets).join(' ')}\` |`,
    );
  });
}

test('what is given beside a profile stays as it is', () => {
  const { media, roomSize } = planOf('sfu-group', '--profile', 'meeting-25', '--room-size', '9', '--muted', '30%');
  expect([roomSize, media.muted, media.width]).toEqual([9, 0.3, 1280]);
});

testRefusals(plan, [
  [['one-to-one', '--profile', 'meeting-25'], '--profile meeting-25 is not for one-to-one.'],
  [['sfu-group', '--profile', 'webinar'], '--profile webinar is not for sfu-group.'],
  [['sfu-group', '--profile', 'meeting'], '--profile'],
  [['sfu-group', '--profile', 'meeting-25', '--media', 'encoded'], '--simulcast is for --media full or native'],
]);
