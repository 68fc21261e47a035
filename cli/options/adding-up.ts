import { LoadlineError } from '../../model/errors.js';
import type { Way } from '../../model/remedy.js';
import { typed } from './flag.js';
import { type Asked, followed, type Profiled } from './followed.js';
import { faultsIn, throwFaults } from './together.js';

/** More faults at once are no help. */
const mostTold = 8;
/** Of more, each with each of the others takes too long. */
const mostWeighed = 6;
/** More flags are not tried without. */
const mostOut = 8;
/** To read a request takes some milliseconds. */
const mostReads = 600;

/** One thing to do: a way of a remedy. */
interface Choice {
  readonly fault: LoadlineError;
  readonly way: Way;
}

/** A request, its reader, and the words that stand in for flags left out. */
interface Case<Words> {
  readonly asked: Asked<Words>;
  readonly usual: Words;
  /** What is refused of it; undefined once too much was read. */
  readonly refused: (asked: Asked<Words>) => readonly LoadlineError[] | undefined;
}

/**
 * Reads what is asked. Where that is refused, throws also what would be refused once the remedies are followed, so that
 * they add up. Every way that is told was followed, and leads to a call that is accepted. Where the first ways of the
 * remedies do not, other ways are told, or which of the flags are to be left out.
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
    // What is no fault of the words.
    if (!(error instanceof LoadlineError)) throw error;
    const faults = faultsIn(error);
    if (faults.length > mostWeighed) throw error;
    let reads = 0;
    const refused = (next: Asked<Words>) => (reads++ < mostReads ? refusedOf(() => read(next)) : undefined);
    throwFaults(remediesOf({ asked, usual: usual(), refused }, faults));
    throw error;
  }
}

function refusedOf(read: () => unknown): readonly LoadlineError[] | undefined {
  try {
    read();
    return [];
  } catch (error) {
    // Words that were put together here may be such that no schema takes them.
    return error instanceof LoadlineError ? faultsIn(error) : undefined;
  }
}

function remediesOf<Words extends object>(
  one: Case<Words>,
  faults: readonly LoadlineError[],
): readonly LoadlineError[] {
  const first = allOf(one, faults);
  const led = [first, otherWays(one, faults)]
    // What a remedy led to, and a person alone can mend, says that this was no good one.
    .filter((steps) => steps?.every((step) => faults.includes(step.fault) || isTyped(step)))
    .map((steps) => steps && neededOf(one, steps))
    // So does what was found by following it, and does without it.
    .find((steps) => steps?.some(({ fault }) => faults.includes(fault)));
  if (led) return led.map((step) => toldBy(one, step, led));
  return leavingOut(one, faults, [...faults, ...first.map(({ fault }) => fault)]) ?? faults;
}

const isTyped = ({ way }: Pick<Choice, 'way'>): boolean => typeof way !== 'string';

/** The ways that say something to type; of a remedy that says nothing, its words. */
function waysIn({ ways }: LoadlineError): readonly Way[] {
  const typed = ways.filter((way) => isTyped({ way }));
  return typed.length > 0 ? typed : ways;
}

const firstOf = (fault: LoadlineError): Choice => ({ fault, way: waysIn(fault)[0] ?? '' });

function after<Words extends object>({ asked, usual }: Case<Words>, steps: readonly Choice[]): Asked<Words> {
  return steps.reduce((sum, { way }) => followed(sum, way, usual) ?? sum, asked);
}

/** These, and what is refused once their remedies are followed. */
function allOf<Words extends object>(one: Case<Words>, faults: readonly LoadlineError[]): readonly Choice[] {
  const steps = faults.map((fault) => firstOf(fault));
  const more = (one.refused(after(one, steps)) ?? []).filter((fault) => !isAmong(faults, fault));
  const all = [...faults, ...more];
  return more.length > 0 && all.length < mostTold ? allOf(one, all) : all.map((fault) => firstOf(fault));
}

const isAmong = (faults: readonly LoadlineError[], { message }: LoadlineError): boolean =>
  faults.some((one) => one.message === message);

/** Whether nothing is refused then but what a person alone can say. */
function isAccepted<Words extends object>(one: Case<Words>, steps: readonly Choice[], from = one.asked): boolean {
  const open = steps.filter((step) => !isTyped(step)).map(({ fault }) => fault);
  return one.refused(after({ ...one, asked: from }, steps))?.every((fault) => isAmong(open, fault)) === true;
}

/** Of each remedy one way, so that together they lead somewhere. */
function otherWays<Words extends object>(
  one: Case<Words>,
  faults: readonly LoadlineError[],
  chosen: readonly Choice[] = [],
): readonly Choice[] | undefined {
  const [fault, ...rest] = faults;
  if (!fault) return isAccepted(one, chosen) ? chosen : undefined;
  for (const way of waysIn(fault)) {
    const found = otherWays(one, rest, [...chosen, { fault, way }]);
    if (found) return found;
  }
  return undefined;
}

/** The fewest that together lead somewhere, the first ones first. */
function neededOf<Words extends object>(one: Case<Words>, steps: readonly Choice[]): readonly Choice[] | undefined {
  return fewestFirst(steps).find((few) => isAccepted(one, few));
}

/** The fault with this way and others that lead as far beside the other steps. Those for a person alone stay. */
function toldBy<Words extends object>(one: Case<Words>, step: Choice, all: readonly Choice[]): LoadlineError {
  const { fault, way } = step;
  const leads = (other: Way) =>
    other === way ||
    !isTyped({ way: other }) ||
    isAccepted(
      one,
      all.map((each) => (each === step ? { fault, way: other } : each)),
    );
  const kept = fault.ways.filter(leads);
  return kept.length === fault.ways.length ? fault : withTodo(fault, kept);
}

function withTodo({ code, message, where, why }: LoadlineError, todo: readonly Way[]): LoadlineError {
  return new LoadlineError(code, message, { where, why, todo, mostLength: Number.POSITIVE_INFINITY });
}

/** Something that was given and may be left out. */
interface Out {
  /** What a fault names that is about it. */
  readonly flags: readonly string[];
  /** "--media", or a limit: "video.loss <= 1%". */
  readonly named: string;
}

/**
 * The fewest flags without which it is accepted, told by the faults that are about them, beside those whose own
 * remedies lead on from there. Undefined where none were found.
 */
function leavingOut<Words extends object>(
  one: Case<Words>,
  faults: readonly LoadlineError[],
  found: readonly LoadlineError[],
): readonly LoadlineError[] | undefined {
  for (const outs of fewestFirst(givenIn(one, found))) {
    const leave = outs.map(({ named }) => named);
    const from = followed(one.asked, { leave }, one.usual) ?? one.asked;
    const rest = one.refused(from);
    if (!rest) return undefined;
    const steps = rest.map(firstOf);
    if (rest.length > 0 && !isAccepted(one, steps, from)) continue;
    const out = outs.flatMap(({ flags }) => flags);
    const isAbout = (fault: LoadlineError) =>
      !isAmong(rest, fault) && flagsIn(fault).some((flag) => out.includes(flag));
    const about = [faults, found].find((all) => all.some(isAbout))?.filter(isAbout) ?? faults;
    return [
      ...about.map((fault) => withTodo(fault, [{ leave }, ...fault.ways.filter((way) => !isTyped({ way }))])),
      ...rest,
    ];
  }
  return undefined;
}

const flagsIn = ({ where = '' }: LoadlineError): readonly string[] => where.match(/--[a-z-]+/g) ?? [];

/** The flags that were given: those that the faults name come first, and later ones before earlier ones. */
function givenIn<Words extends object>(
  { asked, usual }: Case<Words>,
  faults: readonly LoadlineError[],
): readonly Out[] {
  const named = new Set(faults.flatMap(flagsIn));
  const { profiled = [] }: Profiled = asked.words;
  const instead: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(usual));
  const outs = Object.entries(asked.words).flatMap(([name, value]: [string, unknown]): readonly Out[] => {
    if (value === undefined || value === instead[name] || [...profiled, 'profiled', 'listed'].includes(name)) return [];
    const flag = flagOf(name, value);
    if (name === 'threshold' && Array.isArray(value)) return value.map((text) => ({ flags: [flag], named: text }));
    const sets = name === 'profile' ? profiled.map((set) => typed(set)) : [];
    return [{ flags: [flag, ...sets], named: flag }];
  });
  const isNamed = ({ flags }: Out) => Number(flags.some((flag) => named.has(flag)));
  return outs
    .toReversed()
    .toSorted((a, b) => isNamed(b) - isNamed(a))
    .slice(0, mostOut);
}

const flagOf = (name: string, value: unknown): string => typed(value === false ? `no-${name}` : name);

/** All choices of some of these, smaller ones first. */
function fewestFirst<One>(among: readonly One[]): readonly (readonly One[])[] {
  const some = Array.from({ length: 2 ** among.length - 1 }, (_, chosen) =>
    among.filter((_, nth) => ((chosen + 1) >> nth) % 2 === 1),
  );
  return some.toSorted((one, other) => one.length - other.length);
}
