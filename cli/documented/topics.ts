import { presetNames, presetOf } from '../../analysis/judge/thresholds/presets.js';
import { setText } from '../../analysis/report/network-section.js';
import { aggregateNames, aggregates } from '../../model/aggregate.js';
import { measures } from '../../model/measures.js';
import { shapeVerbs } from '../../model/server-abilities.js';
import { those } from '../../model/those.js';
import type { Kinds, ServerKind } from '../../server-setup/server-kind.js';
import { presetOf as networkOf, networkPresetNames } from '../networks/presets.js';

const inColumns = (rows: readonly (readonly [string, string])[]) => {
  const width = Math.max(...rows.map(([label]) => label.length));
  return rows.map(([label, text]) => `  ${label.padEnd(width)}  ${text}\n`).join('');
};

/** What `--threshold` takes, and what each preset limits. */
export function thresholdsTopic(): string {
  const [usual, ...others] = presetNames;
  const differing = others.map((name) => {
    const known = presetOf(usual);
    return `--preset ${name}, where it differs:\n${listed(presetOf(name).filter((one) => !known.includes(one)))}`;
  });
  const named = aggregateNames.map((name): [string, string] => {
    const { name: word, statistic, kinds } = measures[name];
    const of = kinds.length === 1 ? `${kinds[0]}.` : '';
    return [`${of}${word}.${statistic}`, `${aggregates[name].unit}: ${aggregates[name].about}`];
  });
  return [
    'A limit is written --threshold "[sent.|received.][audio.|video.]MEASURE[.STATISTIC] <= NUMBER", also >=, and "of baseline".\n',
    `Limits without any flag, as --preset ${usual}:\n${listed(presetOf(usual))}`,
    ...differing,
    `What can be limited, beside join.time, join.firstFrame, join.answer, join.success and "bad probes":\n${inColumns(named)}`,
  ].join('\n');
}

const listed = (lines: readonly string[]) => lines.map((line) => `  ${line}\n`).join('');

/** What `--network` takes by name. */
export function networksTopic(): string {
  const rows = networkPresetNames.map((name): [string, string] => {
    const link = networkOf(name)?.up ?? {};
    return [name, Object.keys(link).length === 0 ? 'nothing is impaired' : `${setText(link)}, each way`];
  });
  return `${inColumns(rows)}\nWritten out: --network "40ms 5ms, 2% loss, 1mbit". Several groups: "90% clean, 10% poor-3g".\nHow each is made is in docs/reference/networks.md.\n`;
}

/** What `--server` takes, and what each kind can be asked. */
export function serversTopic(kinds: Kinds): string {
  return kinds
    .map((kind) => {
      const { inWords, place, options } = kind;
      const flags = options.flatMap((option) => option.flags.map(({ flag }) => flag.split(' ')[0] ?? ''));
      const own = flags.length === 0 ? '' : `; with ${flags.join(', ')}`;
      return `  ${place.by === 'start' ? kind.name : place.form}\n      ${inWords}: ${abilitiesText(kind)}${own}\n`;
    })
    .join('');
}

function abilitiesText({ abilities: { shapes, records, simulcastRids, turn, namesTurn } }: ServerKind): string {
  return those(
    ...shapes.map((shape) => shapeVerbs[shape]),
    records && 'records',
    simulcastRids && 'takes three layers (--simulcast)',
    turn && 'is reached by TURN',
    namesTurn && 'may name its own TURN server',
  ).join(', ');
}
