import { expect, test } from '@playwright/test';
import { Command } from 'commander';
import { addFlags, type Flags, flagBehind, goingWith, readFlags, valuesOf } from './flag.js';
import { readTogether } from './together.js';
import { count, duration, word } from './written.js';

const flags = {
  by: { takes: 'what', about: 'what a size counts', value: word(['sessions', 'arrivals']), usual: 'sessions' },
  ...goingWith('--by arrivals', { hold: { about: 'how long', value: duration }, storm: { about: 'all at once' } }),
  size: { about: 'how many', value: count({ to: 9 }) },
  tag: { takes: 'name', about: 'a name', repeats: true },
  dryRun: { about: 'do it', negates: true },
} as const satisfies Flags;

function parsed(...args: readonly string[]) {
  const command = addFlags(new Command('x').exitOverride(), flags).parse([...args], { from: 'user' });
  return { command, words: command.opts() as Parameters<typeof valuesOf<typeof flags>>[1] };
}

test('a row makes the option, its help and its value: what is behind it, its default, and with what it goes', () => {
  const { command, words } = parsed('--size', '4', '--tag', 'a', '--tag', 'b', '--no-dry-run');
  expect(command.options.map(({ flags: form, description }) => `${form} ${description}`)).toEqual([
    '--by <what> what a size counts',
    '--hold <time> with --by arrivals: how long',
    '--storm with --by arrivals: all at once',
    '--size <n> how many',
    '--tag <name> a name',
    '--no-dry-run do it',
  ]);
  expect({ ...readFlags(flags, words) }).toEqual({
    by: 'sessions',
    hold: undefined,
    storm: undefined,
    size: 4,
    tag: ['a', 'b'],
    dryRun: false,
  });
  expect(command.options.map(flagBehind)).toEqual(Object.values(flags));
});

test('flags that change nothing without another are refused in one sentence for each other', () => {
  const { words } = parsed('--hold', '5s', '--storm');
  expect(() => readFlags(flags, words)).toThrow(
    expect.objectContaining({
      code: 'E_USAGE',
      message: '--hold, --storm without --by arrivals change nothing.',
      where: '--hold, --storm, --by',
    }),
  );
  expect(readFlags(flags, parsed('--by', 'arrivals', '--hold', '5s').words).hold).toBe(5000);
});

test('a value that cannot be read is one fault, whoever asks for it, and hides no other', () => {
  const asked = valuesOf(flags, parsed('--size', 'many', '--by', 'people', '--hold', 'soon').words);
  const read = () => readTogether({ twice: () => 2 * (asked.size ?? 0), again: () => asked.size, by: () => asked.by });
  expect(read).toThrow(expect.objectContaining({ where: '--size; --by' }));
  expect(() => readFlags(flags, parsed('--by', 'people', '--hold', '5s').words)).toThrow(
    expect.objectContaining({ where: '--by' }),
  );
});
