import type { Typing, Way } from '../../model/remedy.js';
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
const placeholders = { HOST: '10.0.0.5', PORT: '8888' } as const;

/** What is asked by who types what a way says; undefined where it says nothing to type. */
export function followed<Words extends object>(
  { name, words }: Asked<Words>,
  way: Way,
  usual: Words,
): Asked<Words> | undefined {
  if (typeof way === 'string') return undefined;
  const { measure = name, leave = [], give, write } = way;
  const { threshold, profiled = [] }: Profiled & { readonly threshold?: unknown } = words;
  const instead: Readonly<Record<string, unknown>> = Object.fromEntries(Object.entries(usual));
  const out = leave.includes('--profile')
    ? [...leave.map(keyOf), 'profiled', ...profiled]
    : leave.map(keyOf).filter((key) => !profiled.includes(key));
  const next: Record<string, unknown> = { ...words, ...Object.fromEntries(out.map((key) => [key, instead[key]])) };
  if (Array.isArray(threshold) && next.threshold === threshold)
    next.threshold = threshold.filter((text) => !leave.includes(text));
  for (const [flag, value] of Object.entries({ ...write, ...give })) {
    const key = keyOf(flag);
    const typed = flag.startsWith('--no-') ? false : wordOf(value);
    next[key] = Array.isArray(next[key]) ? [typed].flat() : typed;
  }
  return { name: measure, words: next as Words };
}

function wordOf(value: Typing[string]): unknown {
  if (typeof value === 'object') return value;
  return value === true || `${value}`.replace(/HOST|PORT/g, (it) => placeholders[it as keyof typeof placeholders]);
}

/** "record" of "--record" and "--no-record". */
const keyOf = (flag: string): string => attributeOf(flag.replace(/^--no-/, '--'));
