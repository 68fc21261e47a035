import type { ExpectedStream } from '../../model/expected-streams.js';
import { receivedName } from '../../model/scenario.js';
import type { Reason, StreamRef } from '../../model/verdict.js';

/**
 * A number as a person reads it: three figures at most, and two of a small one, which is not 0. More where it would
 * else read like its limit, or like the other side of it, so that no sentence says "1 % (limit 1 %)".
 */
export function numberNear(value: number, limit?: number): string {
  const size = Math.abs(value);
  for (let decimals = decimalsOf(size); decimals <= 6; decimals += 1) {
    const text = String(Number(value.toFixed(decimals)));
    if (limit === undefined || Math.sign(Number(text) - limit) === Math.sign(value - limit)) return text;
  }
  return String(value);
}

function decimalsOf(size: number): number {
  if (size >= 100) return 0;
  if (size >= 10) return 1;
  return size >= 0.1 || size === 0 ? 2 : Math.min(6, 1 - Math.floor(Math.log10(size)));
}

/** "received video from 3a", "sent audio"; with several from one participant: "received video from 3a (3a-screen)". */
export function streamPhrase(stream: ExpectedStream): string {
  const layer = stream.stream === undefined ? '' : ` in layer ${stream.stream}`;
  return stream.direction === 'send' ? `sent ${stream.kind}${layer}` : `received ${receivedName(stream)}`;
}

export function refOf({ leg, direction, kind, stream }: ExpectedStream): StreamRef {
  return { leg: leg.id, direction, kind, ...(stream === undefined ? {} : { stream }) };
}

/** " ms"; nothing after a count or a mark. */
export function unitAfter(unit: string): string {
  return ['MOS', 'count', 'level', 'probes'].includes(unit) ? '' : ` ${unit}`;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

const codeOrder: readonly Reason['code'][] = [
  'interrupted',
  'server-lost',
  'server-excess',
  'turn-lost',
  'not-relayed',
  'server-error',
  'server-drops',
  'media-changed',
  'host-lost',
  'browser-start',
  'browser-crashed',
  'page-crashed',
  'candidates-unusable',
  'probe-host-memory',
  'probe-host-link',
  'probe-socket-drops',
  'probe-cpu',
  'probe-late',
  'generator-late',
  'environment',
  'hurried',
  'encoder-cpu-limited',
  'camera-short',
  'frames-not-replaced',
  'page-timer-late',
  'playout-late',
  'samples-missing',
  'kinds-disagree',
  'join-failed',
  'disconnected',
  'presenter-starved',
  'no-media',
];

/**
 * Worst first: what ended things for somebody, then by how far the limit was passed. Ties go by code, probe and
 * stream, so that the order in which probes are given never shows.
 */
export function worstFirst(reasons: readonly Reason[]): Reason[] {
  return [...reasons].sort(
    (a, b) => rankOf(a) - rankOf(b) || excessOf(b) - excessOf(a) || compareText(identityOf(a), identityOf(b)),
  );
}

function rankOf(reason: Reason): number {
  const index = codeOrder.indexOf(reason.code);
  return index === -1 ? codeOrder.length : index;
}

/** How many times the limit was passed: 3 for 3 % of loss where 1 % is allowed, 2 for half of what is needed. */
function excessOf({ measured, limit }: Reason): number {
  if (measured === undefined || limit === undefined) return 0;
  const low = Math.min(measured, limit);
  return low <= 0 ? Number.MAX_VALUE : Math.max(measured, limit) / low;
}

function identityOf(reason: Reason): string {
  const { leg = '', direction = '', kind = '', stream = '' } = reason.stream ?? {};
  return [reason.code, reason.probe ?? '', leg, direction, kind, stream, reason.text].join('\u0000');
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A command line that a shell splits into these words again (POSIX sh: nothing is special in single quotes). */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
