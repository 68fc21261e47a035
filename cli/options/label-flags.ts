import { z } from 'zod';
import type { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import type { Manifest } from '../../model/run.js';
import type { Flags, ValuesOf } from './flag.js';
import { suchAs, usageError, wrongValue } from './usage-error.js';

/** What a run is called, which changes nothing of what it does. */
export type RunLabels = Pick<Manifest, 'tags' | 'labels' | 'hostType'>;

/** The most that a run has: each is a column wherever its points go. */
const mostLabels = 20;
const pairForm = /^([a-z][a-z0-9_]{0,39})=(.+)$/;
const labelForm = /^[\p{L}\p{N}][\p{L}\p{N}._+@/:-]{0,79}$/u;

export function oneOrMore(error: string): z.ZodType {
  const one = z.string({ error }).min(1, { error });
  return z.union([one, z.array(one).min(1)], { error });
}

const name = (example: string) => ({ read: (text: string, flag: string) => readLabel(text, flag, example) });

export const labelFlags = {
  tag: {
    takes: 'name',
    about: 'what this run is called, to compare with later ones: v2.3; may be repeated',
    value: { read: readTag },
    inPlans: oneOrMore('must be a name, or a list of them'),
    repeats: true,
  },
  label: {
    takes: 'key=value',
    about: 'what else is known of this run: region=eu; may be repeated',
    value: { read: readPair },
    inPlans: oneOrMore('must be key=value, or a list of them: [region=eu]'),
    repeats: true,
  },
  hostType: {
    takes: 'name',
    about: 'what the kind of host of the media server is called: c5.2xlarge',
    value: name('c5.2xlarge'),
  },
} as const satisfies Flags;

/** Throws E_USAGE. */
export function labelsOf({ tag, label, hostType }: ValuesOf<typeof labelFlags>): RunLabels {
  const tags = tag.length > 0 ? [...new Set(tag)] : undefined;
  return given({ tags, labels: label.length > 0 ? together(label) : undefined, hostType });
}

type Pair = readonly [key: string, value: string];

function readPair(word: string): Pair {
  const [, key = '', value = ''] = pairForm.exec(word) ?? [];
  if (key === '') throw wrongLabel(`--label must be KEY=VALUE, the key in small letters, not "${word}".`);
  if (!labelForm.test(value))
    throw wrongLabel(`The value of --label ${key} ${mustBeLabel}, not "${value}".`, `${key}=eu`);
  return [key, value];
}

/** Each key once: of two values, neither is the one that was meant. */
function together(pairs: readonly Pair[]): Readonly<Record<string, string>> {
  const twice = pairs.find(([key], nth) => pairs.findIndex(([other]) => other === key) !== nth);
  if (twice) {
    const [key, value] = twice;
    const todo = `leave --label ${key}=${value} out, or give it another key`;
    throw usageError(`--label gives "${key}" more than one value.`, ['--label'], todo);
  }
  if (pairs.length > mostLabels)
    throw wrongLabel(`--label was given ${pairs.length} times; ${mostLabels} are the most.`);
  return Object.fromEntries(pairs);
}

function wrongLabel(text: string, example = 'region=eu'): LoadlineError {
  return usageError(text, ['--label'], suchAs('--label', example));
}

const mustBeLabel = 'must be a name of letters, digits and . _ + @ / : -, and begin with a letter or a digit';

function readLabel(text: string, flag: string, example: string): string {
  if (labelForm.test(text)) return text;
  throw wrongValue(flag, text, mustBeLabel, example);
}

/** Throws E_USAGE for a word that names runs already. */
function readTag(text: string, flag: string): string {
  if (text === 'latest')
    throw usageError(`${flag} latest is of no use: it names the newest run.`, [flag], suchAs(flag, 'v2.3'));
  return readLabel(text, flag, 'v2.3');
}
