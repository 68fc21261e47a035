import { plainText } from '../../model/plain-text.js';
import type { StandardCheck } from '../../server-setup/server-kind.js';

const marks: Readonly<Record<StandardCheck['mark'], string>> = {
  kept: '✓',
  departs: '✗',
  advised: '!',
  'not-offered': '–',
};
const sectionWidth = 6;
const widthMax = 80;

/** What a server does otherwise than the standard has it; exit 2 where it departs from what must be. */
export function conformanceReport(
  checks: readonly StandardCheck[],
  where: string,
): { readonly text: string; readonly exitCode: 0 | 2 } {
  const lines = checks.flatMap(({ mark, section, text, rule }) => [
    ...lineOf(`  ${marks[mark]} ${section.padEnd(sectionWidth)} `, text),
    ...(rule === undefined ? [] : lineOf(' '.repeat(4 + sectionWidth + 1), `RFC 9725, ${section}: ${rule}`)),
  ]);
  const count = (wanted: StandardCheck['mark']) => checks.filter(({ mark }) => mark === wanted).length;
  const departures = count('departs');
  const end = [
    departures === 0 ? 'No departure from what must be' : `${departures} ✗ depart from what must be`,
    `${count('advised')} ! from what should be`,
    `${count('not-offered')} – not offered.`,
  ].join(', ');
  const text = ['', ...lineOf('  RFC 9725 (WHIP), at ', where), '', ...lines, '', `  ${end}`, ''].join('\n');
  return { text, exitCode: departures === 0 ? 0 : 2 };
}

/** Cut where it is longer than a terminal is wide: an address or a header may be of any length. */
function lineOf(before: string, text: string): readonly string[] {
  const room = widthMax - before.length;
  const plain = plainText(text);
  return [`${before}${plain.length > room ? `${plain.slice(0, room - 1)}…` : plain}`];
}
