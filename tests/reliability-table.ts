import { readFileSync, writeFileSync } from 'node:fs';

const page = new URL('../docs/reliability.md', import.meta.url);

/** Set by the long forms: a test that is run in passing changes no page. */
export const writesTables = () => process.env.LOADLINE_WRITE_TABLES === '1';

/**
 * Puts a table into docs/reliability.md between its marks, `<!-- name -->` and `<!-- /name -->`, where tables are
 * written.
 */
export function writeTable(name: string, lines: readonly string[]): void {
  if (!writesTables()) return;
  const { before, after } = around(name);
  writeFileSync(page, `${before}\n${lines.join('\n')}\n${after}`);
}

/** The lines of a table as the page has them. */
export function tableOnPage(name: string): readonly string[] {
  return around(name).table.split('\n');
}

function around(name: string) {
  const text = readFileSync(page, 'utf8');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  if (from < begin.length || to < from) throw new Error(`docs/reliability.md has no ${begin} … ${end}`);
  return { before: text.slice(0, from), table: text.slice(from, to).trim(), after: text.slice(to) };
}
