import type { ShareVerdict } from '../analysis/compare/fail-below.js';
import type { Requirement } from '../model/finished-run.js';
import { given } from '../model/given.js';
import { namesNoLimit, type RunResult } from '../model/run.js';
import type { VerdictKind } from '../model/verdict.js';

/**
 * Exit codes are a contract with scripts: `docs/reference/command-line.md` and `--help` print this table. `find` is
 * also of `simulate`, and of `judge` with --require; `check` of `compare` with one of its checks, and of `monitor
 * --once`; `other` of all commands together.
 */
export const exitCodes = [
  {
    code: 0,
    find: 'a limit was found (and is at least --require)',
    try: 'the trial was stable',
    check: 'all is met, and nothing is worse',
    other: 'it is done, and the answer is yes where one was asked for',
  },
  {
    code: 1,
    find: 'Loadline itself failed',
    try: 'Loadline itself failed',
    check: 'Loadline itself failed',
    other: 'Loadline itself failed, or something that it needs did',
  },
  {
    code: 2,
    find: 'wrong usage; nothing was started',
    try: 'wrong usage; nothing was started',
    check: 'wrong usage; nothing was started',
    other: 'wrong usage; nothing was started. Of doctor: find would not work here',
  },
  {
    code: 3,
    find: 'a size up to --require failed, not even one session is stable, or the server died at or below --require',
    try: 'the trial was unstable, or the server died in it or before it',
    check: 'something is not met, or worse',
    other: 'the answer is no: unstable, below what was required, worse than before',
  },
  {
    code: 4,
    find: 'no answer: void, cut short, nobody ever connected, the limit is between sizes that were not tried, the probes ran out, the server got worse while it was searched, or died above --require',
    try: 'the trial was void, or nobody ever connected',
    check: 'no answer: too little was measured, or runs were void',
    other: 'no answer',
  },
  {
    code: 130,
    find: 'interrupted; what was measured is kept',
    try: 'interrupted; what was measured is kept',
    check: 'interrupted',
    other: 'interrupted; what was measured is kept',
  },
] as const;

type ExitCode = (typeof exitCodes)[number]['code'];

export const interruptedCode: ExitCode = 130;

/**
 * A run that met `--require` has answered its question, so it exits 0 even when the probes ran out above that size.
 * Void is never an answer.
 */
export function exitCodeOfFind(
  result: Pick<RunResult, 'outcome' | 'limit' | 'cutShort' | 'undecided' | 'unconfirmed'>,
  require: number | undefined,
): ExitCode {
  const { outcome, limit, cutShort, undecided, unconfirmed } = result;
  if (outcome === 'server-lost') return diedWithin(limit, require) ? 3 : 4;
  // One size is no limit of a server that gets worse, and an interval by a trial each is none either.
  if (namesNoLimit(outcome) || cutShort) return 4;
  if (outcome === 'baseline-unstable') return 3;
  if (require !== undefined && (limit.stable ?? 0) >= require) return unconfirmed ? 4 : 0;
  if (outcome === 'probe-limited') return 4;
  // What lies between the size that held and the one that failed is not known; neither is what lies above one that a
  // ramp held, or above the largest that was to be tried.
  if (require === undefined) return undecided ? 4 : 0;
  return isBetween(limit, require) ? 4 : 3;
}

/** Whether nothing failed at this size or below it, though it is above the limit. */
function isBetween({ unstable, flaky, failedBelow = [] }: RunResult['limit'], size: number): boolean {
  return (unstable === null || size < unstable) && ![...flaky, ...failedBelow].some((failed) => failed <= size);
}

/** A server that died carrying less than was asked for does not carry that. */
function diedWithin({ unstable }: RunResult['limit'], require: number | undefined): boolean {
  return require !== undefined && unstable !== null && unstable <= require;
}

/** What became of `--require`; exit codes say it to scripts. */
export function requirementOf(
  exitCode: ExitCode,
  size: number,
  { limit, unit }: Pick<RunResult, 'limit' | 'unit'>,
): Requirement {
  const answer = exitCode === 0 ? 'yes' : exitCode === 3 ? 'no' : 'unknown';
  const heldBy = exitCode === 0 && (limit.stable ?? 0) > size ? `${limit.stable} ${unit}` : undefined;
  return { size, answer, text: `--require ${size}${requireText(exitCode, size, limit, heldBy)}`, ...given({ heldBy }) };
}

/** The same for a person, behind what was asked. */
function requireText(
  exitCode: ExitCode,
  size: number,
  { stable, unstable }: RunResult['limit'],
  heldBy?: string,
): string {
  if (exitCode === 0) return heldBy === undefined ? ' is met.' : ` is met, held by ${heldBy}.`;
  if (exitCode === 3) return ' is not met.';
  const isBetween = stable !== null && stable < size && unstable !== null && size < unstable;
  return exitCode === 4 && isBetween
    ? ` is between ${stable}, which held, and ${unstable}, which did not. --max ${size} decides it.`
    : ': this run cannot say whether it is met.';
}

export function exitCodeOfTry(verdict: VerdictKind): ExitCode {
  return verdict === 'stable' ? 0 : verdict === 'unstable' ? 3 : 4;
}

/** For `compare --fail-below`: 0, 3 and 4 mean what they mean for `find`. */
export function exitCodeOfShare(kind: ShareVerdict['kind']): ExitCode {
  return kind === 'met' ? 0 : kind === 'below' ? 3 : 4;
}

/** For `compare --baseline` and `--expect`, the worst of both. */
export function exitCodeOfChecks(kinds: readonly ('met' | 'failed' | 'unknown')[]): ExitCode {
  return kinds.includes('failed') ? 3 : kinds.includes('unknown') ? 4 : 0;
}

export function exitCodeLines(command: 'find' | 'try' | 'check' | 'other'): string {
  return exitCodes.map((one) => `  ${String(one.code).padEnd(4)} ${one[command]}`).join('\n');
}
