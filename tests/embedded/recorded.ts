import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** Recordings of a real Kurento 7.3, one frame a line, and what is the same in two servers' answers. */

const recordSchema = z.union([
  z.object({ dir: z.enum(['c>s', 's>c']), msg: z.record(z.string(), z.unknown()) }),
  z.object({ dir: z.literal('c>s'), raw: z.string() }),
  z.object({ dir: z.literal('s>c'), closed: z.number() }),
]);
export type RecordedFrame = z.infer<typeof recordSchema>;

/** Frames in order; each key of `inPlaceOf` is replaced by its value wherever it stands. */
export async function readRecording(
  name: string,
  inPlaceOf: Readonly<Record<string, string>> = {},
): Promise<RecordedFrame[]> {
  const stored = await readFile(new URL(`../kurento-vectors/${name}.jsonl`, import.meta.url), 'utf8');
  const text = Object.entries(inPlaceOf).reduce((all, [from, to]) => all.replaceAll(from, to), stored);
  return text
    .trim()
    .split('\n')
    .map((line) => recordSchema.parse(JSON.parse(line)));
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** A text without what differs from server to server: ids, times, addresses, keys, and an SDP's own numbers. */
function mask(text: string): string {
  const masked = text
    .replace(uuid, 'UUID')
    .replace(/^\d{13}$/, 'MILLISECONDS')
    .replace(/\d+\.\d+\.\d+\.\d+ \d+ typ/g, 'ADDRESS typ');
  if (!masked.startsWith('v=0')) return masked;
  return masked
    .split('\r\n')
    .filter((line) => !line.startsWith('a=candidate:'))
    .map((line) => line.replace(/^(o=|s=|m=\w+ |c=|a=rtcp:|a=ssrc:|a=ice-ufrag:|a=ice-pwd:|a=fingerprint:).*/, '$1'))
    .join('\n');
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

/**
 * How `live` differs from `recorded`, as sentences; empty when the two are alike: the same types, the same keys in the
 * same order, and, if `exact`, the same texts but for ids and the like. Of arrays the first elements are compared.
 */
export function differences(recorded: unknown, live: unknown, exact: boolean, path = ''): string[] {
  if (typeOf(recorded) !== typeOf(live)) return [`${path} is ${typeOf(live)}, was ${typeOf(recorded)}`];
  if (typeof recorded === 'string' && typeof live === 'string') {
    const same = !exact || mask(recorded) === mask(live);
    return same ? [] : [`${path} is ${mask(live)}, was ${mask(recorded)}`];
  }
  if (Array.isArray(recorded) && Array.isArray(live)) {
    return recorded.length === 0 || live.length === 0 ? [] : differences(recorded[0], live[0], exact, `${path}[0]`);
  }
  if (typeof recorded !== 'object' || typeof live !== 'object' || recorded === null || live === null) return [];
  return objectDifferences(Object.entries(recorded), Object.entries(live), exact, path);
}

function objectDifferences(
  recorded: readonly [string, unknown][],
  live: readonly [string, unknown][],
  exact: boolean,
  path: string,
): string[] {
  // A map by id: what it holds differs, what an entry looks like does not.
  const byId = [...recorded, ...live].some(([key]) => mask(key) === 'UUID');
  if (byId)
    return recorded.length === 0 || live.length === 0 ? [] : differences(recorded[0]?.[1], live[0]?.[1], false, path);
  const keys = (entries: readonly [string, unknown][]): string => entries.map(([key]) => key).join(', ');
  if (keys(recorded) !== keys(live)) return [`${path} has keys ${keys(live)}, had ${keys(recorded)}`];
  return recorded.flatMap(([key, value], index) => differences(value, live[index]?.[1], exact, `${path}.${key}`));
}

/** Puts the live server's ids where a recording names its own. */
export class IdTranslation {
  readonly #ids = new Map<string, string>();

  /** Learns from two answers to the same request. */
  learn(recorded: unknown, live: unknown): void {
    const [theirs, ours] = [recorded, live].map((value) => JSON.stringify(value).match(uuid) ?? []);
    theirs?.forEach((id, index) => {
      const own = ours?.[index];
      if (own !== undefined && theirs.length === ours?.length && !this.#ids.has(id)) this.#ids.set(id, own);
    });
  }

  translate<T>(value: T): T {
    return JSON.parse(JSON.stringify(value).replace(uuid, (id) => this.#ids.get(id) ?? id)) as T;
  }
}
