import type { FinishedRun } from '../../model/finished-run.js';
import type { TrialRecord } from '../../model/trial.js';
import { type FaultPattern, faultPatterns } from '../correlation/correlation.js';
import { plural } from '../wording/wording.js';
import { countOf, unitOf } from './headline.js';
import { type TextStyle, titled } from './layout.js';

export interface TrialPatterns {
  readonly trial: number;
  readonly size: number;
  readonly patterns: readonly FaultPattern[];
}

export function patternsOf(records: readonly TrialRecord[]): TrialPatterns[] {
  const failed = records.filter(({ verdict }) => verdict.kind !== 'stable');
  return failed.flatMap((record) => {
    const patterns = faultPatterns(record, failed.length);
    return patterns.length === 0 ? [] : [{ trial: record.index, size: record.size, patterns }];
  });
}

/** "Trial 4, 8 calls: 4 of the 5 failing probes share browser 2 …". */
export function patternSentences(run: FinishedRun): string[] {
  return patternsOf(run.records).flatMap(({ trial, size, patterns }) =>
    patterns.map((pattern) => `Trial ${trial}, ${countOf(run, size)}: ${patternSentence(run, pattern)}`),
  );
}

/** What the failing probes have in common, how likely that is by chance, and whom to suspect. */
export function patternSentence(run: FinishedRun, pattern: FaultPattern): string {
  const { shared, probes, failing, groupProbes } = pattern;
  const share = `${probes.length === failing ? `all ${failing}` : `${probes.length} of the ${failing}`} failing probes`;
  const odds = `${oddsText(pattern.chance)}.`;
  const [name = ''] = pattern.names;
  const orRole =
    pattern.role === undefined ? '' : `, or what only the role ${pattern.role} does, for these are the same probes`;
  switch (shared) {
    case 'network':
      return `${share} are on the network ${name}, as ${groupProbes} probes are: suspect the link before the server${orRole}. ${odds}`;
    case 'host':
      return `${share} are on host ${name}, as ${groupProbes} probes are: suspect the host, not the server${orRole}. ${odds}`;
    case 'place':
      return `${share} are on the hosts ${name === '' ? 'that name no place' : `at ${name}`}, as ${groupProbes} probes are: suspect the place and its way to the server, not the server${orRole}. ${odds}`;
    case 'browser':
    case 'page':
      return `${share} share ${shared} ${name}, which plays ${groupProbes}: suspect the generator, not the server. ${odds}`;
    case 'role':
      return `${share} are in the role ${name}, as ${groupProbes} probes are: suspect what only they do. ${odds}`;
    case 'session':
      return `${sessionText(run, pattern)}: suspect what they share on the server. ${odds}`;
  }
}

function sessionText(run: FinishedRun, { names, probes, groupProbes, failing }: FaultPattern): string {
  const sessions = sessionWords(run);
  const which = `${names.length === 1 ? sessions.one : sessions.many} ${listed(names)}`;
  const others = failing - probes.length;
  const beside = others === 0 ? 'and nobody else' : `beside ${plural(others, 'other failing probe')}`;
  if (probes.length < groupProbes) return `${probes.length} of the ${groupProbes} probes of ${which} fail, ${beside}`;
  const everyone = groupProbes === 2 * names.length ? 'both ends' : 'all probes';
  return `${everyone} of ${which} fail, ${beside}`;
}

/** A size may count something else than sessions: the viewers of one broadcast. */
function sessionWords(run: FinishedRun): { readonly one: string; readonly many: string } {
  const unit = unitOf(run);
  return unit.countsParticipants === true ? { one: 'session', many: 'sessions' } : unit;
}

const mostListed = 8;

function listed(names: readonly string[]): string {
  const shown = names.length > mostListed ? [...names.slice(0, mostListed - 1), 'others'] : names;
  return shown.length === 1 ? `${shown[0]}` : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** "Blind faults would look so in 1 of 190 runs". */
function oddsText(chance: number): string {
  if (chance < 1e-6) return 'Blind faults would look so in less than 1 of a million runs';
  return `Blind faults would look so in 1 of ${Math.round(1 / chance)} runs`;
}

const mostSentences = 4;

export function patternSection(run: FinishedRun, style: TextStyle): string[] {
  const sentences = patternSentences(run);
  const rest = sentences.length - mostSentences;
  return [
    ...titled('Who failed together', sentences.slice(0, mostSentences), style),
    ...(rest > 0 ? [`    and ${plural(rest, 'other pattern')}; report.html and --format json have all.`] : []),
  ];
}
