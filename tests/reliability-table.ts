import { readFileSync, writeFileSync } from 'node:fs';

const page = new URL('../docs/reliability.md', import.meta.url);

/**
 * Puts a table into docs/reliability.md between its marks, `<!-- name -->` and `<!-- /name -->`. Only with
 * LOADLINE_WRITE_TABLES=1, which the long forms set: a test run in passing changes no page.
 */
export function writeTable(name: string, lines: readonly string[]): void {
  if (process.env.LOADLINE_WRITE_TABLES !== '1') return;
  const text = readFileSync(page, 'utf8');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/reliability.md has no ${begin} … ${end}`);
  writeFileSync(page, `${text.slice(0, from + begin.length)}\n${lines.join('\n')}\n${text.slice(to)}`);
}
