import { LoadlineError } from '../../model/errors.js';
import { scenarios } from '../../scenarios/index.js';
import { attributeOf } from './flag.js';
import { faultsIn, throwFaults } from './together.js';

/** What a run is asked: its scenario, and its flags as words. */
interface Asked<Words> {
  readonly name: string;
  readonly words: Words;
}

/** More faults at once are no help. */
const mostTold = 8;
/** Of more, each with each of the others takes too long. */
const mostWeighed = 6;

/**
 * Reads what is asked. Where that is refused, throws also what would be refused once the remedies are followed, so that
 * they add up. Of those which together are accepted, it tells no more than are needed. Where what is to be added leads
 * nowhere, what it would be for is to be left out.
 *
 * @param usual what stands in for flags that are left out
 */
export function readAddingUp<Words extends object, Read>(
  asked: Asked<Words>,
  usual: () => Words,
  read: (asked: Asked<Words>) => Read,
): Read {
  try {
    return read(asked);
  } catch (error) {
    const instead = usual();
    const refusedAfter = (told: readonly LoadlineError[]) =>
      refusedOf(() => read(told.reduce((sum, fault) => followed(sum, fault, instead), asked)));
    const faults = faultsOf(error);
    if (faults.length > mostWeighed) throw error;
    const all = allOf(faults, refusedAfter);
    const out =
      refusedAfter(all).length === 0
        ? all
        : allOf(faults.map(leavingOut), (told) => refusedAfter(told).map(leavingOut));
    throwFaults(needed(refusedAfter(out).length === 0 ? out : all, refusedAfter));
    throw error;
  }
}

type RefusedAfter = (told: readonly LoadlineError[]) => readonly LoadlineError[];

/** These, and what is refused once their remedies are followed. */
function allOf(told: readonly LoadlineError[], refusedAfter: RefusedAfter): readonly LoadlineError[] {
  const more = refusedAfter(told).filter(({ message }) => !told.some((fault) => fault.message === message));
  const all = [...told, ...more];
  return more.length > 0 && all.length < mostTold ? allOf(all, refusedAfter) : all;
}

/** The same with the last of its ways alone, where that is to leave a flag out and the first is to add another. */
function leavingOut(fault: LoadlineError): LoadlineError {
  const [, todo] = /^(?:add|give|write) .*, or (leave (?:(?!, or ).)* out)$/.exec(fault.todo ?? '') ?? [];
  return todo === undefined
    ? fault
    : new LoadlineError(fault.code, fault.message, { where: fault.where, why: fault.why, todo });
}

/** The fewest of them, the first ones first, whose remedies together are accepted; all where none are. */
function needed(told: readonly LoadlineError[], refusedAfter: RefusedAfter): readonly LoadlineError[] {
  if (told.length > mostWeighed) return told;
  const some = Array.from({ length: 2 ** told.length }, (_, chosen) =>
    told.filter((_, nth) => (chosen >> nth) % 2 === 1),
  );
  const fewest = some.sort((one, other) => one.length - other.length);
  return fewest.find((few) => rests(few, told) && refusedAfter(few).length === 0) ?? told;
}

/** What was found of another scenario is not told without what leads there. */
const rests = (few: readonly LoadlineError[], told: readonly LoadlineError[]): boolean =>
  told.every(
    (fault, nth) =>
      few.includes(fault) ||
      !firstWay(fault.todo ?? '').some(isScenario) ||
      few.every((one) => told.indexOf(one) < nth),
  );

function refusedOf(read: () => unknown): readonly LoadlineError[] {
  try {
    read();
    return [];
  } catch (error) {
    // Words that were put together here may be such that no schema takes them: then nothing more is told.
    return error instanceof LoadlineError ? faultsIn(error) : [];
  }
}

/** Throws what is no fault of the words. */
function faultsOf(error: unknown): readonly LoadlineError[] {
  if (error instanceof LoadlineError) return faultsIn(error);
  throw error;
}

/** What is asked by who types what the first way of a remedy says; the same where it says nothing to type. */
function followed<Words extends object>(
  asked: Asked<Words>,
  { todo = '', where = '' }: LoadlineError,
  usual: Words,
): Asked<Words> {
  const [verb = '', ...typed] = firstWay(todo);
  const [one = ''] = typed;
  if (verb === 'measure' && isScenario(one)) return { name: one, words: retyped(asked.words, typed, usual) };
  if (!verbs.test(verb)) return asked;
  if (typed.length !== 1 || one.startsWith('--'))
    return { ...asked, words: retyped(asked.words, [verb, ...typed], usual) };
  // A word alone is in place of the one that is wrong.
  if (isScenario(one)) return { ...asked, name: one };
  return /^--[a-z-]+$/.test(where) ? { ...asked, words: retyped(asked.words, [where, one], usual) } : asked;
}

const verbs = /^(add|give|write|use|leave)$/;
const isScenario = (word: string): boolean => scenarios.some(({ name }) => name === word);

/** The words up to another way, a reason, or a side note, with an address of some host; quotes hold one together. */
function firstWay(todo: string): readonly string[] {
  const short = todo.replace(/^write a number.*?: /, 'write ');
  const words = [...short.matchAll(/(["'])(.*?)\1|\S+/g)].map(([word, , quoted]) => quoted ?? word);
  const end = words.findIndex((word) => word === 'or' || /^[,;:]|[,;:]$/.test(word));
  const way = (end < 0 ? words : words.slice(0, end + 1)).map((word) => word.replace(/[,;:]$|^or$/, ''));
  return way.map((word) => word.replace('HOST', '10.0.0.5').replace('PORT', '8888')).filter(Boolean);
}

/** Flags and their values put in place of what was typed, those beside "leave" or "instead of" out. */
function retyped<Words extends object>(words: Words, way: readonly string[], usual: Words): Words {
  const next: Record<string, unknown> = Object.fromEntries(Object.entries(words));
  const instead: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(usual));
  const typed = new Set<string>();
  let isOut = false;
  let flag = '';
  for (const word of way) {
    if (verbs.test(word) || word === 'of') isOut = word === 'leave' || word === 'of';
    else if (word.startsWith('--')) {
      const negated = /^--no-(.+)/.exec(word)?.[1];
      flag = attributeOf(negated ?? word);
      if (isOut && !typed.has(flag)) next[flag] = instead[flag];
      else if (!typed.has(flag) && !Array.isArray(next[flag])) next[flag] = negated === undefined;
      // It has no value: what follows is of no flag.
      if (negated !== undefined && !isOut) {
        typed.add(flag);
        flag = '';
      }
    } else if (!isOut && flag !== '') {
      next[flag] = typed.has(flag) || Array.isArray(next[flag]) ? [next[flag], word].flat() : word;
      typed.add(flag);
      flag = '';
    }
  }
  return next as Words;
}
