import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { meantOrKnown } from '../../analysis/judge/thresholds/nearest-word.js';
import { type PlanKey, planSchemaOf } from './plan-keys.js';
import { inOrder, type PlanProblem, type TextPosition } from './plan-problem.js';

type ReadPlan =
  | ({ readonly ok: true } & ReadValues)
  | {
      readonly ok: false;
      readonly problems: readonly PlanProblem[];
      /** What could be read, without keys whose values are unusable; absent if nothing could. */
      readonly rest?: ReadValues & { readonly badKeys: ReadonlySet<string> };
    };

export interface ReadValues {
  readonly values: Readonly<Record<string, unknown>>;
  /** Of a key, or of what stands in it: 'servers', 0, 'name'. */
  placeOf(...path: readonly (string | number)[]): TextPosition | undefined;
}

type Document = ReturnType<typeof parseDocument>;
const start: TextPosition = { line: 1, column: 1 };

/** Reads the text of a plan file, YAML or JSON. Every problem is found, in the order of lines. Never throws. */
export function readPlan(text: string, keys: readonly PlanKey[]): ReadPlan {
  // A flag and its `--no-` have one key.
  const known = [...new Set(keys.map(({ key }) => key))];
  const noMapping = 'a plan is a list of "key: value" lines, such as scenario: one-to-one';
  return readMapping(text, planSchemaOf(keys), known, noMapping);
}

/** The same for any file of keys: what they may hold, their names, and what to say of a file that is no such list. */
export function readMapping(
  text: string,
  schema: z.ZodType<Readonly<Record<string, unknown>>>,
  known: readonly string[],
  noMapping: string,
): ReadPlan {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, logLevel: 'error' });
  const placeAt = (offset: number): TextPosition => {
    const { line, col } = counter.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const broken = [...document.errors, ...document.warnings];
  if (broken.length > 0) {
    const problems = broken.map(({ message, pos }) => ({
      ...placeAt(pos[0]),
      text: message.split('\n')[0] ?? message,
    }));
    return { ok: false, problems };
  }
  if (!isMap(document.contents)) return { ok: false, problems: [{ ...start, text: noMapping }] };
  const value = plainValue(document);
  if (value === undefined)
    return { ok: false, problems: [{ ...start, text: 'its aliases (*) lead nowhere, or to too much' }] };
  const parsed = schema.safeParse(value, { error: inPlainWords });
  const placeOf = (path: readonly PropertyKey[]) => placeOfNode(document, path, placeAt);
  const keyPlace = (key: string) => {
    const range = rangeOf(pairOf(document, key)?.key);
    return range === undefined ? undefined : placeAt(range);
  };
  if (parsed.success) return { ok: true, values: parsed.data, placeOf: (...path) => placeOf(path) };
  const problems = parsed.error.issues.flatMap((issue) => problemsOf(issue, { document, known, placeOf, keyPlace }));
  const badKeys = new Set(parsed.error.issues.map(({ path }) => String(path[0] ?? '')));
  const left = Object.entries(value as object).filter(([key]) => known.includes(key) && !badKeys.has(key));
  const rest = {
    values: Object.fromEntries(left),
    placeOf: (...path: readonly (string | number)[]) => placeOf(path),
    badKeys,
  };
  return { ok: false, problems: inOrder(problems), rest };
}

/** What a value has to be where its key does not say it better: a schema's own words are for programmers. */
function inPlainWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeWords[issue.expected] ?? 'something else'}`;
    case 'too_small':
      return `must ${issue.origin === 'number' ? 'be' : 'have'} ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    case 'too_big':
      return `must ${issue.origin === 'number' ? 'be' : 'have'} ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    default:
      return 'cannot be read as it is written';
  }
}

const typeWords: Readonly<Record<string, string>> = {
  string: 'a word',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a group of "key: value" lines',
};

/** Aliases may be cut short by the parser (a few lines can name a billion values), which it says by throwing. */
function plainValue(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    return undefined;
  }
}

interface SeenDocument {
  readonly document: Document;
  /** The keys that there are. */
  readonly known: readonly string[];
  readonly placeOf: (path: readonly PropertyKey[]) => TextPosition | undefined;
  readonly keyPlace: (key: string) => TextPosition | undefined;
}

function problemsOf(issue: z.core.$ZodIssue, { document, known, placeOf, keyPlace }: SeenDocument): PlanProblem[] {
  if (issue.code === 'unrecognized_keys') {
    const isTop = issue.path.length === 0;
    return issue.keys.map((key) => ({
      ...((isTop ? keyPlace(key) : placeOf(issue.path)) ?? start),
      text: `there is no key "${key}"${isTop ? `; ${meantOrKnown(key, known)}` : ` in ${nameOf(issue.path)}`}`,
    }));
  }
  const name = nameOf(issue.path);
  const place = placeOf(issue.path);
  if (!place) return [{ ...start, text: `${name} is missing; it ${issue.message}` }];
  if (issue.code === 'custom' && issue.params?.isSentence === true) return [{ ...place, text: issue.message }];
  const seen: unknown = document.getIn(issue.path);
  const value =
    typeof seen === 'string' || typeof seen === 'number' || typeof seen === 'boolean'
      ? `, not ${JSON.stringify(seen)}`
      : '';
  const pointer = issue.message.includes('\n');
  return [{ ...place, text: pointer ? `${name}\n${issue.message}` : `${name} ${issue.message}${value}` }];
}

/** "thresholds[2]", "alerts.mail.to". */
function nameOf([key, ...rest]: readonly PropertyKey[]): string {
  const parts = rest.map((part) => (/^\d+$/.test(String(part)) ? `[${String(part)}]` : `.${String(part)}`));
  return [String(key ?? 'the plan'), ...parts].join('');
}

/** Where the value stands; for a key without a value, the key. */
function placeOfNode(document: Document, path: readonly PropertyKey[], placeAt: (offset: number) => TextPosition) {
  const [key, ...rest] = path;
  const pair = pairOf(document, String(key));
  if (!pair) return undefined;
  const node = rest.length === 0 ? pair.value : document.getIn(path, true);
  const range = rangeOf(node) ?? rangeOf(pair.value) ?? rangeOf(pair.key);
  return range === undefined ? undefined : placeAt(range);
}

function pairOf({ contents }: Document, key: string) {
  if (!isMap(contents)) return undefined;
  return contents.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
}

function rangeOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined;
  const [from] = node.range;
  return typeof from === 'number' ? from : undefined;
}
