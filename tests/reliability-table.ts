import { readFileSync, writeFileSync } from 'node:fs';

const reliabilityPage = 'docs/lab/reliability.md';

/** Set by the long forms: a test that is run in passing changes no page. */
export const writesTables = () => process.env.LOADLINE_WRITE_TABLES === '1';

/** Puts a table into a page between its marks, `<!-- name -->` and `<!-- /name -->`, where tables are written. */
export function writeTable(name: string, lines: readonly string[], page = reliabilityPage): void {
  if (!writesTables()) return;
  const { before, after } = around(name, page);
  writeFileSync(urlOf(page), `${before}\n${lines.join('\n')}\n${after}`);
}

/** The lines of a table as the page has them. */
export function tableOnPage(name: string, page = reliabilityPage): readonly string[] {
  return around(name, page).table.split('\n');
}

/** Relative to the repository. */
const urlOf = (page: string) => new URL(`../${page}`, import.meta.url);

function around(name: string, page: string) {
  const text = readFileSync(urlOf(page), 'utf8');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  if (from < begin.length || to < from) throw new Error(`${page} has no ${begin} … ${end}`);
  return { before: text.slice(0, from), table: text.slice(from, to).trim(), after: text.slice(to) };
}
