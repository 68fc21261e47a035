import { those } from '../../model/those.js';
import { areChosen } from '../compare/release-check.js';
import type { StudyAgainst } from '../study/against.js';
import { percentText } from '../wording/quantity.js';
import { plural } from '../wording/wording.js';
import { wrap } from './layout.js';
import { markSentences } from './release-text.js';

/** What got worse since an earlier study, for a terminal. */
export function againstText(one: StudyAgainst, columns = 80): string {
  const width = Math.max(40, Math.min(80, columns));
  const { earlier, cells, withoutLimit, unlike, chance, intervals } = one;
  const title = `Against ${earlier.name} of ${earlier.startedAt.slice(0, 16).replace('T', ' ')} UTC: ${headline(one)}`;
  return [
    ...wrap(title, 2, width, 2),
    ...cells.flatMap(({ id, check }) => [
      ...wrap(id, 4, width, 2),
      ...markSentences(check).flatMap((text) => wrap(text, 6, width, 2)),
    ]),
    ...wrap(meetText(intervals), 4, width, 2),
    ...withoutLimit.flatMap(({ id, before, after }) => wrap(`${id}: then ${before}; now ${after}.`, 4, width, 2)),
    ...wrap(
      `Where nothing changed, anything at all is called worse in at most ${percentText(chance)} of such comparisons, if runs do not depend on those before them. What drifted since then counts as a change.`,
      4,
      width,
      2,
    ),
    ...unlike.flatMap((sentence) => wrap(sentence, 4, width, 2)),
    '',
  ].join('\n');
}

/** Nothing where no cell has a limit in both. */
function meetText({ meet, of, apart }: StudyAgainst['intervals']): string {
  if (of === 0) return '';
  const parted = apart.length === 0 ? '' : ` They are apart in ${apart.join(', ')}.`;
  return `Intervals of limits then and now meet in ${meet} of ${plural(of, 'cell')} (${percentText(meet / of)}).${parted}`;
}

function headline({ cells, withoutLimit, kind }: StudyAgainst): string {
  const worse = cells.filter(({ check }) => check.kind === 'worse').map(({ id }) => id);
  const lost = withoutLimit.filter(({ isLost }) => isLost).map(({ id }) => id);
  const fewer = cells.filter(({ check }) => areChosen(check)).map(({ id }) => id);
  const said = those(
    worse.length > 0 && `worse: ${worse.join(', ')}.`,
    lost.length > 0 && `no limit any more: ${lost.join(', ')}.`,
    fewer.length > 0 && `no limit in more rounds than then: ${fewer.join(', ')}.`,
  );
  if (said.length > 0) return said.join(' ');
  return kind === 'unknown' ? 'too little to say anything.' : 'nothing is shown to be worse.';
}
