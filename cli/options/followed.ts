import type { LoadlineError } from '../../model/errors.js';
import { scenarios } from '../../scenarios/index.js';
import { attributeOf } from './flag.js';

/** What a run is asked: its scenario, and its flags as words. */
export interface Asked<Words> {
  readonly name: string;
  readonly words: Words;
}

/** Of words: which of them a profile has set, so that nobody can leave them out. */
export interface Profiled {
  readonly profiled?: readonly string[];
}

/** What words of a person's would stand in place of. */
const placeholders = { HOST: '10.0.0.5', PORT: '8888', URL: 'https://a.example/{stream}' } as const;

const verbs = /^(add|give|write|use|leave|name|have|measure)$/;
const isScenario = (word: string): boolean => scenarios.some(({ name }) => name === word);

/** The ways that a remedy names, each with its verb: "leave --a out, or --b" are "leave --a out" and "leave --b out". */
export function waysOf({ todo = '' }: LoadlineError): readonly string[] {
  let verb = '';
  return todo.split(/,? or (?=(?:leave|give|write|add|use|measure|name|have) |--)/).map((way) => {
    const [first = ''] = way.split(' ');
    const whole = first.startsWith('--') ? `${verb} ${way}` : way;
    verb = whole.split(' ')[0] ?? '';
    return verb === 'leave' && !/ out\b/.test(whole) ? `${whole} out` : whole;
  });
}

/** What is asked by who types what a way says; undefined where it says nothing to type. */
export function followed<Words extends object>(
  asked: Asked<Words>,
  { message, where = '' }: LoadlineError,
  way: string,
  usual: Words,
): Asked<Words> | undefined {
  if (way.startsWith('leave the limit'))
    return { ...asked, words: withoutLimits(asked.words, (text) => message.includes(text)) };
  const [verb = '', ...said] = typedIn(way);
  if (!verbs.test(verb)) return undefined;
  const [flag = ''] = /^--[a-z-]+/.exec(where) ?? [];
  const typed = verb === 'leave' && said[0] === 'it' ? [flag, ...said.slice(1)] : said;
  const [one = ''] = typed.filter((word) => word !== 'the' && word !== 'scenario');
  const [, other = ''] = / measure ([a-z-]+)/.exec(way) ?? [];
  const name = [one, other].find(isScenario) ?? asked.name;
  if (typed.some((word) => word.startsWith('--')))
    return { name, words: retyped(asked.words, [verb, ...typed], usual) };
  if (isScenario(one)) return { ...asked, name };
  // A word alone is in place of the one that is wrong.
  if (typed.length !== 1 || flag === '') return undefined;
  return { ...asked, words: retyped(asked.words, [verb, flag, one], usual) };
}

/** The words up to another way, a reason, or a side note, with an address of some host; quotes hold one together. */
function typedIn(way: string): readonly string[] {
  const short = way.replace(/^write a number.*?: /, 'write ');
  const words = [...short.matchAll(/(["'])(.*?)\1|\S+/g)].map(([word, , quoted]) => quoted ?? word);
  const end = words.findIndex((word) => word === 'or' || /^[,;:]|[,;:]$/.test(word));
  const until = (end < 0 ? words : words.slice(0, end + 1)).map((word) => word.replace(/[,;:]$|^or$/, ''));
  return until
    .map((word) => word.replace(/HOST|PORT|URL/g, (it) => placeholders[it as keyof typeof placeholders]))
    .filter(Boolean);
}

export function withoutLimits<Words extends object>(words: Words, isOut: (text: string) => boolean): Words {
  const { threshold = [] }: { readonly threshold?: readonly string[] } = words;
  return { ...words, threshold: threshold.filter((text) => !isOut(text)) };
}

/** Flags and their values put in place of what was typed, those beside "leave" or "instead of" out. */
function retyped<Words extends object>(words: Words, way: readonly string[], usual: Words): Words {
  const next: Record<string, unknown> = Object.fromEntries(Object.entries(words));
  const instead: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(usual));
  const { profiled = [] }: Profiled = words;
  const typed = new Set<string>();
  let verb = '';
  let flag = '';
  for (const word of way) {
    if (verbs.test(word) || word === 'of') verb = word;
    const isOut = verb === 'leave' || verb === 'of';
    if (word.startsWith('--')) {
      const negated = /^--no-(.+)/.exec(word)?.[1];
      flag = attributeOf(negated ?? word);
      if (isOut) next[flag] = typed.has(flag) || profiled.includes(flag) ? next[flag] : instead[flag];
      else if (!typed.has(flag) && !Array.isArray(next[flag])) next[flag] = negated === undefined;
      // It has no value: what follows is of no flag.
      if (negated !== undefined && !isOut) typed.add(flag);
      if (negated !== undefined || isOut) flag = '';
    } else if (flag !== '' && !verbs.test(word)) {
      const isMore = typed.has(flag) || (verb === 'add' && Array.isArray(next[flag]));
      next[flag] = isMore
        ? [next[flag], word].flat()
        : Array.isArray(instead[flag]) || Array.isArray(next[flag])
          ? [word]
          : word;
      typed.add(flag);
      flag = '';
    }
  }
  return next as Words;
}
