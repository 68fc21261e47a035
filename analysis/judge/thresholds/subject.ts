import type { AggregateName } from '../../../model/aggregate.js';
import { aggregateNames } from '../../../model/aggregate.js';
import { isMeasured, measures } from '../../../model/measures.js';
import type { Direction, StreamKind } from '../../../model/scenario.js';
import { type JoinStatistic, type JoinTime, joinStatistics, joinTimes } from '../../../model/threshold-id.js';
import type { NamedLegLimit } from '../named-limit.js';
import { namedLegLimits } from '../named-limits.js';
import { meantOrKnown } from './nearest-word.js';
import { faultAt, type Token, type TokenReader } from './tokens.js';

const joinDefaults: Readonly<Record<JoinTime, JoinStatistic>> = { time: 'max', firstFrame: 'p95', answer: 'p99' };
const measureNames = [...new Set(Object.values(measures).map(({ name }) => name))];

/** What is measured, before it is known against what. */
export type Subject =
  | { readonly of: 'bad-probes' }
  | { readonly of: 'leg'; readonly named: NamedLegLimit }
  | { readonly of: 'join-success' }
  | { readonly of: 'join'; readonly time: JoinTime; readonly statistic: JoinStatistic }
  | { readonly of: 'app'; readonly name: string; readonly statistic: JoinStatistic }
  | {
      readonly of: 'stream';
      readonly aggregate: AggregateName;
      readonly kind: StreamKind | undefined;
      readonly direction: Direction | undefined;
    };

/**
 * `[sent.|received.][audio.|video.|data.]MEASURE[.STATISTIC]`, `join.…` or `bad probes`; the statistic may come first.
 */
export function readSubject(reader: TokenReader): Subject {
  const first = reader.expect('word', 'the name of what is measured, such as video.loss.mean');
  if (first.text === 'bad') {
    const probes = reader.expect('word', 'probes');
    if (probes.text !== 'probes') throw faultAt(probes, 'here must be probes: bad probes <= 0');
    return { of: 'bad-probes' };
  }
  if (!reader.skip('(')) return subjectOf([first, ...readPath(reader)], undefined);
  const inner = reader.expect('word', 'the name of what is measured');
  const subject = subjectOf([inner, ...readPath(reader)], first);
  if (!reader.skip(')')) throw faultAt(reader.peek(), 'here must be )');
  return subject;
}

function readPath(reader: TokenReader): Token[] {
  const words: Token[] = [];
  while (reader.skip('.')) words.push(reader.expect('word', 'a name after the dot'));
  return words;
}

function subjectOf(path: readonly Token[], statistic: Token | undefined): Subject {
  const words = [...path];
  if (words[0]?.text === 'join') return joinSubject(words, statistic);
  if (words[0]?.text === 'app') return appSubject(words, statistic);
  const direction = takeWord(words, { sent: 'send', received: 'receive' } as const);
  const kind = takeWord(words, { audio: 'audio', video: 'video', data: 'data' } as const);
  const [name, inPath, more] = words;
  if (!name)
    throw faultAt(path.at(-1) ?? { column: 0, text: '' }, 'after this the measure is missing, such as .loss.mean');
  if (inPath && !measureNames.includes(name.text) && measureNames.includes(inPath.text))
    throw faultAt(name, `there is no stream "${name.text}"; ${meantOrKnown(name.text, streamWords)}`);
  const asked = statisticOf(inPath, more, statistic);
  const aggregate = aggregateOf(name, asked);
  const named = direction || kind ? undefined : namedLegLimits.find((one) => one.aggregate === aggregate);
  if (named) return { of: 'leg', named };
  checkExists(aggregate, path, kind, direction);
  return { of: 'stream', aggregate, kind, direction };
}

/** What may stand before a measure. */
const streamWords = ['audio', 'video', 'data', 'sent', 'received'];

function takeWord<Value>(words: Token[], known: Readonly<Record<string, Value>>): Value | undefined {
  const text = words[0]?.text ?? '';
  if (!Object.hasOwn(known, text)) return undefined;
  words.shift();
  return known[text];
}

function aggregateOf(name: Token, statistic: Token | undefined): AggregateName {
  const ofName = aggregateNames.filter((aggregate) => measures[aggregate].name === name.text);
  const [usual] = ofName;
  if (!usual) {
    const having = aggregateNames.filter((one) => measures[one].statistic === statistic?.text);
    const fitting = having.length > 0 ? having.map((one) => measures[one].name) : measureNames;
    throw faultAt(name, `there is no measure "${name.text}"; ${meantOrKnown(name.text, [...new Set(fitting)])}`);
  }
  if (!statistic) return usual;
  const found = ofName.find((aggregate) => measures[aggregate].statistic === statistic.text);
  const known = ofName.map((aggregate) => measures[aggregate].statistic).join(' and ');
  if (!found) throw faultAt(statistic, `${name.text} has no "${statistic.text}", only ${known}`);
  return found;
}

function checkExists(
  aggregate: AggregateName,
  path: readonly Token[],
  kind: StreamKind | undefined,
  direction: Direction | undefined,
): void {
  const { name, statistic, kinds, directions } = measures[aggregate];
  const wordOf = (text: string) => path.find((token) => token.text === text) ?? { column: 0, text };
  if (kind === 'data' && isMeasured(measures[aggregate], { kind, direction: direction ?? 'receive' })) return;
  if (kind && !kinds.includes(kind)) throw faultAt(wordOf(kind), `${name} exists for ${kinds.join(' and ')} only`);
  if (!direction || directions.includes(direction)) return;
  const word = direction === 'send' ? 'sent' : 'received';
  throw faultAt(wordOf(word), `${name}.${statistic} exists for ${word === 'sent' ? 'received' : 'sent'} streams only`);
}

function joinSubject([, name, inPath, more]: readonly Token[], statistic: Token | undefined): Subject {
  if (name?.text === 'success') {
    const excess = inPath ?? statistic;
    if (excess) throw faultAt(excess, 'join.success is a share of all who were to join: it has no statistic');
    return { of: 'join-success' };
  }
  const time = joinTimes.find((one) => one === name?.text);
  if (!time) {
    const seen = name ?? { column: 0, text: 'join' };
    throw faultAt(seen, `of joining there are ${joinTimes.map((one) => `join.${one}`).join(', ')} and join.success`);
  }
  const asked = statisticOf(inPath, more, statistic);
  return { of: 'join', time, statistic: pooled(asked, joinDefaults[time], `join.${time}`) };
}

/** What a join script tells: any name. */
function appSubject([, name, inPath, more]: readonly Token[], statistic: Token | undefined): Subject {
  if (!name) throw faultAt({ column: 0, text: 'app' }, 'after this comes what the join script tells: app.chatLatency');
  const asked = statisticOf(inPath, more, statistic);
  return { of: 'app', name: name.text, statistic: pooled(asked, 'p95', `app.${name.text}`) };
}

/** The statistic behind the name, or in front. */
function statisticOf(inPath: Token | undefined, more: Token | undefined, inFront: Token | undefined) {
  if (more) throw faultAt(more, 'this is one name too many');
  if (inPath && inFront) throw faultAt(inPath, `the statistic is said twice: ${inFront.text} stands in front`);
  return inPath ?? inFront;
}

function pooled(asked: Token | undefined, usual: JoinStatistic, what: string): JoinStatistic {
  if (!asked) return usual;
  const found = joinStatistics.find((one) => one === asked.text);
  if (!found) throw faultAt(asked, `${what} has no "${asked.text}", only ${joinStatistics.join(', ')}`);
  return found;
}
