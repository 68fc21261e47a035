import type { Command } from 'commander';
import type { Flags } from '../options/flag.js';
import { usageError } from '../options/usage-error.js';
import { word } from '../options/written.js';
import { classic640 } from './classic-640.js';
import { meeting25 } from './meeting-25.js';
import { type Profile, profileNames } from './profile.js';
import { webinarProfile } from './webinar.js';

export const profiles: readonly Profile[] = [meeting25, webinarProfile, classic640];

export const profileFlags = {
  profile: {
    takes: 'name',
    about: `sets other flags as one kind of session has them, where they are not given: ${profileNames.join(', ')}`,
    value: word(profileNames),
  },
} as const satisfies Flags;

const isOf = ({ scenarios }: Profile, scenario: string | undefined): boolean =>
  scenarios === undefined || (scenario !== undefined && scenarios.includes(scenario));

/** What was typed, or stands in a plan file, stays as it is. A name that cannot be had is told when flags are read. */
export function applyProfile(command: Command, scenario: string | undefined): void {
  const asked: unknown = command.getOptionValue('profile');
  const found = profiles.find((one) => one.name === asked && isOf(one, scenario));
  for (const [flag, value] of Object.entries(found?.sets ?? {})) {
    const source = command.getOptionValueSource(flag);
    if (source === undefined || source === 'default') command.setOptionValueWithSource(flag, value, 'config');
  }
}

/** Throws E_USAGE where it is of other sessions. */
export function assertProfileOf(scenario: string, asked: string | undefined): void {
  const found = profiles.find(({ name }) => name === asked);
  if (!found || isOf(found, scenario)) return;
  const [first = ''] = found.scenarios ?? [];
  throw usageError(
    `--profile ${found.name} is not for ${scenario}.`,
    ['--profile', scenario],
    `leave --profile out, or measure ${first}`,
    `it says what sessions of ${first} are like`,
  );
}
