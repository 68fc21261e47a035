import type { Command } from 'commander';
import { LoadlineError } from '../../model/errors.js';
import { type Flags, typed } from '../options/flag.js';
import { faultsIn, SeveralFaults } from '../options/together.js';
import { usageError } from '../options/usage-error.js';
import { word } from '../options/written.js';
import { classic640 } from './classic-640.js';
import { classroom } from './classroom.js';
import { meeting25 } from './meeting-25.js';
import { type Profile, profileNames } from './profile.js';
import { webinarProfile } from './webinar.js';

export const profiles: readonly Profile[] = [meeting25, webinarProfile, classroom, classic640];

export const profileFlags = {
  profile: {
    takes: 'name',
    about: `sets other flags as one kind of session has them, where they are not given: ${profileNames.join(', ')}`,
    value: word(profileNames),
  },
} as const satisfies Flags;

const isOf = ({ scenarios }: Profile, scenario: string | undefined): boolean =>
  scenarios === undefined || (scenario !== undefined && scenarios.includes(scenario));

/**
 * What was typed, or stands in a plan file, stays as it is. A name that cannot be had is told when flags are read.
 *
 * @returns what errors of these flags say: nobody can leave out what a profile has set
 */
export function applyProfile(command: Command, scenario: string | undefined): (error: unknown) => unknown {
  const asked: unknown = command.getOptionValue('profile');
  const found = profiles.find((one) => one.name === asked && isOf(one, scenario));
  const profiled: string[] = [];
  for (const [flag, value] of Object.entries(found?.sets ?? {})) {
    const source = command.getOptionValueSource(flag);
    if (source !== undefined && source !== 'default') continue;
    command.setOptionValueWithSource(flag, value, 'config');
    profiled.push(flag);
  }
  if (profiled.length === 0) return (error) => error;
  command.setOptionValueWithSource('profiled', profiled, 'config');
  const set = profiled.map((flag) => typed(flag));
  return (error) => {
    if (!(error instanceof LoadlineError)) return error;
    const faults = faultsIn(error).map((fault) => ofProfile(fault, `--profile ${asked} sets ${set.join(', ')}`, set));
    return faults.length === 1 ? faults[0] : new SeveralFaults(faults);
  };
}

function ofProfile(fault: LoadlineError, because: string, set: readonly string[]): LoadlineError {
  const { code, message, where = '', why, ways } = fault;
  if (!set.some((flag) => where.split(', ').includes(flag))) return fault;
  const more = why === undefined ? because : `${why}; ${because}`;
  return new LoadlineError(code, message, { where: `${where}, --profile`, why: more, todo: ways });
}

/** Throws E_USAGE where it is of other sessions. */
export function assertProfileOf(scenario: string, asked: string | undefined): void {
  const found = profiles.find(({ name }) => name === asked);
  if (!found || isOf(found, scenario)) return;
  const [first = ''] = found.scenarios ?? [];
  throw usageError(
    `--profile ${found.name} is not for ${scenario}.`,
    ['--profile', scenario],
    [{ leave: ['--profile'] }, { measure: first }],
    `it says what sessions of ${first} are like`,
  );
}
