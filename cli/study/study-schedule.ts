import { wrap } from '../../analysis/report/layout.js';
import { leastRounds } from '../../analysis/study/precision.js';
import { roundsToRank } from '../../analysis/study/ranks.js';
import { durationText, percentText } from '../../analysis/wording/quantity.js';
import { plural } from '../../analysis/wording/wording.js';
import { groupedBy } from '../../model/grouped.js';
import { partsOf, type StudyStep } from '../../model/study.js';
import { those } from '../../model/those.js';
import type { CheckedCell } from './cell-plan.js';
import type { StudyPlan } from './study-file.js';

/** What a study would do, in which order, and how long it takes; `steps` are those that are still to be made. */
export function scheduleText(
  study: StudyPlan,
  cells: readonly CheckedCell[],
  steps: readonly StudyStep[],
  warnings: readonly string[],
): string {
  const { rounds, servers, chance, budgetMs, precision } = study;
  const parts = partsOf(study.find);
  const total = rounds * cells.length * parts.length;
  const needed = roundsToRank(servers.length, chance);
  const done = steps.length === total ? '' : `, ${total - steps.length} of them made already`;
  const order = [...groupedBy(steps, ({ round }) => round)].flatMap(([round, own]) =>
    wrap(`round ${round}  ${[...new Set(own.map(({ cell }) => cell.id))].join(', ')}`, 4, 80, 10),
  );
  const beside = parts.filter((part) => part !== 'limit');
  return [
    '',
    ...wrap(`${study.name}: ${plural(total, 'run')} in ${plural(rounds, 'round')}${done}`, 2),
    '',
    ...order,
    ...(beside.length === 0 ? [] : wrap(`Of each, behind its limit: ${beside.join(', ')}`, 4, 80, 2)),
    '',
    ...wrap(timeText(cells, steps), 2, 80, 2),
    ...(precision === undefined
      ? []
      : wrap(
          `It ends after ${plural(leastRounds(servers.length, chance), 'round')} or more, once each limit is within ${percentText(precision)}.`,
          2,
        )),
    ...(budgetMs === undefined ? [] : wrap(`No run begins after ${durationText(budgetMs)}.`, 2)),
    ...(servers.length < 2 || rounds >= needed
      ? []
      : wrap(
          `No difference, however large, shows in ${plural(rounds, 'round')} of ${servers.length} servers: ${needed} rounds can show one, at a chance of error of ${percentText(chance)}.`,
          2,
          80,
          2,
        )),
    ...warnings,
    '',
  ].join('\n');
}

/** Of one on two busy cores, with its report, of some hundred participants at most. */
const simulatedMs = { min: 3000, max: 15_000 };

function timeText(cells: readonly CheckedCell[], steps: readonly StudyStep[]): string {
  const each = steps.map(({ cell, part }) => ({ ...cells.find((one) => one.cell.id === cell.id), part }));
  const known = each.flatMap(({ part, minutes }) => (part === 'limit' ? (minutes ?? []) : []));
  const of = (end: 'min' | 'max') => Math.ceil(known.reduce((sum, range) => sum + range[end], 0));
  const likely = Math.ceil(
    each.reduce(
      (sum, { part, minutes, likelyMinutes }) => sum + (part === 'limit' ? (likelyMinutes ?? minutes?.max ?? 0) : 0),
      0,
    ),
  );
  const simulated = each.filter((one) => one.server?.simulate).length;
  const unknown = each.length - known.length - simulated;
  return those(
    known.length > 0 &&
      `Its trials take ${of('min') === of('max') ? '' : `${of('min')} to `}${of('max')} min${likely < of('max') ? `, likely ${likely} min at most: by what probes this host carries` : ''}.`,
    simulated > 0 &&
      `${plural(simulated, 'simulated run')} ${simulated === 1 ? 'takes' : 'take'} ${durationText(simulated * simulatedMs.min)} to ${durationText(simulated * simulatedMs.max)}, and longer with hundreds of participants.`,
    unknown > 0 && `Of ${plural(unknown, 'run')} the time cannot be foreseen.`,
  ).join(' ');
}
