import { listedWith } from './listed.js';

/** Flags as they are typed, each with its value; true where it has none. */
export type Typing = Readonly<Record<string, string | number | true | readonly string[]>>;

/** What to type in place of what was refused. */
export interface Retyping {
  /** Another scenario. */
  readonly measure?: string;
  /** Flags, and the texts of limits. */
  readonly leave?: readonly string[];
  /** In place of what is there, and of what is left out. */
  readonly give?: Typing;
  /** The same, of which others would do. */
  readonly write?: Typing;
  /** What follows: "or more", ", which takes one away". */
  readonly note?: string;
}

/** What to type, or words for what a person alone can do. */
export type Way = Retyping | string;

/** What can be done: one of several ways. */
export type Remedy = Way | readonly Way[];

export const waysOf = (remedy: Remedy): readonly Way[] =>
  typeof remedy !== 'string' && Symbol.iterator in remedy ? remedy : [remedy];

/** Each of these left out alone: "leave --a out, or --b". */
export const oneOut = (...flags: readonly string[]): readonly Retyping[] => flags.map((flag) => ({ leave: [flag] }));

/** The sentence: what begins as the way before it does not say so again. */
export function told(remedy: Remedy): string {
  let before = '';
  const texts = waysOf(remedy).map((way) => {
    const [verb, text] = typeof way === 'string' ? ['', way] : saidOf(way);
    const isSame = verb !== '' && verb === before;
    before = verb;
    if (isSame || verb === '') return text;
    return verb === 'leave' ? `leave ${text} out` : `${verb} ${text}`;
  });
  return texts.join(', or ');
}

function saidOf({ measure, leave = [], give, write, note }: Retyping): readonly [verb: string, text: string] {
  const out = leave.map((one) => (one.startsWith('--') ? one : `the limit "${one}"`));
  const typing = typedOf({ ...write, ...give });
  const more = note === undefined ? '' : note.startsWith(',') ? note : ` ${note}`;
  if (measure !== undefined) {
    const beside = [typing && ` with ${typing}`, out.length > 0 && ` without ${listedWith('and', out)}`];
    return ['measure', `${measure}${beside.filter(Boolean).join('')}${more}`];
  }
  if (typing === '')
    return note ? ['', `leave ${listedWith('and', out)} out${more}`] : ['leave', listedWith('and', out)];
  const instead = out.length > 0 ? ` instead of ${listedWith('and', out)}` : '';
  const isBare = Object.values(give ?? {})[0] === true;
  return [write ? 'write for example' : isBare ? 'add' : 'give', `${typing}${instead}${more}`];
}

/** As a shell takes it. */
function typedOf(typing: Typing): string {
  const words = Object.entries(typing).flatMap(([flag, value]) =>
    value === true ? [flag] : [value].flat().flatMap((one) => [flag, inQuotes(`${one}`)]),
  );
  return words.join(' ');
}

function inQuotes(word: string): string {
  return /^[\w%+,./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
