import { groupedBy } from '../../model/grouped.js';
import { listedWith } from '../../model/listed.js';
import type { StudyPart } from '../../model/study.js';
import type { ServerExhaustion } from '../measure/exhaustion.js';
import type { DelayAnswer } from '../study/beside-limit.js';
import { figureOf, type OverRounds } from '../study/rounds.js';
import type { CellAnswer, StudyAnswer, StudyTable } from '../study/study-answer.js';
import { percentText } from '../wording/quantity.js';
import { numberNear, plural } from '../wording/wording.js';

const exhaustedWords: Readonly<Record<ServerExhaustion['what'], string>> = {
  cpu: 'its CPU',
  'cpu-quota': 'its CPU quota',
  thread: 'one thread',
  memory: 'its memory',
  'up-link': 'its up-link',
  'host-cpu': "its host's CPU",
  'host-memory': "its host's memory",
  'host-link': "its host's network",
  'turn-cpu': "the relay's CPU",
};

export const studyHead = [
  'place',
  'server',
  'limit',
  'interval',
  'cores each',
  'MB each',
  'kbit/s each',
  'delay p95',
  'ran out',
];
/** Columns of numbers, which stand on the right. */
export const studyNumbers = [2, 3, 4, 5, 6, 7];

/** A row of the table of a load, in the columns of `studyHead`. */
export function cellTexts(cell: CellAnswer): string[] {
  const { server, cores, memoryMb, egressKbps } = cell;
  return [
    placeText(cell),
    server,
    limitText(cell),
    limitInterval(cell),
    estimateText(cores),
    estimateText(memoryMb),
    egressKbps === undefined ? '' : numberNear(egressKbps.middle),
    delayText(cell, ' ms') ?? '',
    ranOutText(cell),
  ];
}

/** "40 ± 3 ms": between hosts with what their clocks leave open. */
export function delayText({ delayMs, delayBoundMs }: DelayAnswer, unit = '') {
  const open = delayBoundMs === undefined ? '' : ` ± ${numberNear(delayBoundMs)}`;
  return delayMs && `${numberNear(delayMs.middle)}${open}${unit}`;
}

function placeText({ places }: CellAnswer): string {
  if (!places) return '';
  const [best, worst] = places;
  return best === worst ? String(best) : `${best}-${worst}`;
}

type Limit = Pick<CellAnswer, 'limit' | 'highNotShown'>;

/** "18", "≥ 52" where nothing shows how high, "no answer". */
export function limitText({ limit, highNotShown }: Limit): string {
  return limit ? `${highNotShown ? '≥ ' : ''}${figureText(limit)}` : 'no answer';
}

/** "24 to 25, cut short": the upper end was seen, and not repeated. */
export function limitInterval({ limit, highNotShown }: Limit): string {
  return `${intervalOf(limit)}${highNotShown ? ', cut short' : ''}`;
}

export function figureText(value: OverRounds): string {
  return `${value.high === null ? '≥ ' : ''}${numberNear(figureOf(value))}`;
}

export function intervalOf(limit: OverRounds | undefined): string {
  if (!limit) return '';
  if (limit.high === null) return `from ${numberNear(limit.low)}`;
  return limit.low === limit.high ? numberNear(limit.low) : `${numberNear(limit.low)} to ${numberNear(limit.high)}`;
}

/** Of what one more session costs. A cost of nothing or less is noise: memory that a server gave back, say. */
function estimateText(value: OverRounds | undefined): string {
  if (!value) return '';
  if (value.middle <= 0) return 'not shown';
  const figure = (one: number) => String(Number(one.toPrecision(2)));
  const { middle, low, high } = value;
  return high === null || figure(low) === figure(high)
    ? figure(middle)
    : `${figure(middle)} (${figure(low)}${low < 0 ? ' to ' : '-'}${figure(high)})`;
}

/** "its CPU", "its up-link (3 of 5)". */
function ranOutText({ ranOut, runs }: CellAnswer): string {
  return ranOut
    .map(
      ({ what, rounds }) => `${exhaustedWords[what]}${rounds === runs.length ? '' : ` (${rounds} of ${runs.length})`}`,
    )
    .join(', ');
}

/** Who holds more than whom, and how surely that is said. */
export function rankSentences({ cells, ranks, unit }: StudyTable, chance: number): string[] {
  const compared = cells.filter(({ limit }) => limit).map(({ server }) => server);
  const isAbove = (one: string, other: string) =>
    ranks.above.some(({ server, than }) => server === one && than === other);
  const said = compared.flatMap((server) => {
    const than = compared.filter((other) => isAbove(server, other));
    return than.length === 0 ? [] : [`${server} holds more ${unit.many} than ${listedWith('and', than)}.`];
  });
  const open = compared.flatMap((one, nth) => {
    const others = compared.slice(nth + 1).filter((other) => !isAbove(one, other) && !isAbove(other, one));
    return others.length === 0 ? [] : [`${one} and ${listedWith('or', others)}`];
  });
  const isAnyTwo = said.length === 0 && compared.length > 2;
  const ofPairs = ranks.pairs === 1 ? '' : `, over its ${ranks.pairs} pairs together`;
  return [
    ...said,
    ...(open.length === 0 ? [] : [`No difference shown between ${isAnyTwo ? 'any two of them' : open.join('; ')}.`]),
    ...(ranks.isTooFew
      ? [
          `So few rounds show no difference, however large: ${ranks.roundsNeeded} rounds of ${cells.length} servers can, at a chance of error of ${percentText(chance)}.`,
        ]
      : []),
    ...(ranks.pairs === 0
      ? []
      : [
          `Of tables of equal servers at most ${percentText(chance)} name a difference${ofPairs}, if rounds do not depend on each other.`,
        ]),
  ];
}

/** How surely intervals hold the middle of all such rounds, and why some say "at least". */
export function intervalSentences({ cells, unit }: StudyTable): string[] {
  const limits = cells.flatMap(({ limit }) => limit ?? []);
  const least = Math.min(...limits.map(({ sure }) => sure));
  return [
    ...(limits.length === 0
      ? []
      : limits.some(({ rounds }) => rounds === 1)
        ? ['One round alone says nothing of the next: its interval is that of its search.']
        : [
            `An interval holds the middle of all such rounds with at least ${percentText(Math.floor(100 * least) / 100)}, if rounds do not depend on each other.`,
          ]),
    ...toldTogether(cells, 'openRounds').map(
      ({ servers, rounds }) => `At least so many ${unit.many}: ${servers}. In ${rounds} the limit was not reached.`,
    ),
    ...toldTogether(cells, 'cutShortRounds').map(
      ({ servers, rounds }) =>
        `Cut short in ${rounds}: ${servers}. What was tried last was not repeated. An upper end marked "cut short" was seen, and not shown.`,
    ),
  ];
}

/** Servers of which a count of rounds is the same, where it is not 0: "janus and livekit", "in 1 of 2 rounds". */
function toldTogether(cells: readonly CellAnswer[], count: 'openRounds' | 'cutShortRounds') {
  const some = cells.filter((cell) => cell[count] > 0);
  const alike = groupedBy(some, (cell) => `${cell[count]} of ${plural(cell.runs.length, 'round')}`);
  return [...alike].map(([rounds, own]) => ({
    rounds,
    servers: listedWith(
      'and',
      own.map(({ server }) => server),
    ),
  }));
}

const partWords: Readonly<Record<StudyPart, string>> = {
  limit: '',
  'at-50': ', half of the limit',
  'at-80': ', four fifths of the limit',
  'join-rate': ', joins a second',
  recovery: ', after a kill',
};

/** Rounds that say nothing, and why. */
export function missingSentences({ cells }: StudyTable, rounds: number): string[] {
  return cells.flatMap(({ server, runs, failed }) => {
    const mute = runs.filter(({ stable }) => stable === null);
    const notMade = rounds - runs.length - failed.filter(({ part }) => part === 'limit').length;
    const reasons = groupedBy(failed, ({ part, why }) => `${part} ${why}`);
    return [
      ...mute.map(({ round, outcome }) => `${server}, round ${round}: ${outcome}, which says nothing of a limit.`),
      ...[...reasons.values()].flatMap((own) => {
        const [first] = own;
        const of = own.map(({ round }) => String(round));
        const which = `${of.length === 1 ? 'round' : 'rounds'} ${listedWith('and', of)}`;
        return first ? [`${server}${partWords[first.part]}, ${which}: no run. ${first.why}`] : [];
      }),
      ...(notMade > 0 ? [`${server}: ${notMade} of ${plural(rounds, 'round')} not made yet.`] : []),
    ];
  });
}

/** Why it ended, too, where a precision was asked. */
export function studyHeadline({ name, rounds, tables, precision }: StudyAnswer): string {
  const servers = new Set(tables.flatMap(({ cells }) => cells.map(({ server }) => server))).size;
  const known = precision
    ? `, ${precision.reached ? 'each limit' : 'not each limit is'} within ${percentText(precision.asked)}`
    : '';
  return `${name}: ${plural(servers, 'server')} under ${plural(tables.length, 'load')}, ${plural(rounds, 'round')}${known}`;
}
