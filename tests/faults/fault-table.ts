import { readFileSync, writeFileSync } from 'node:fs';
import { writesTables, writeTable } from '../reliability-table.js';
import type { FaultRow } from './fault.js';
import { faultRows } from './rows.js';

/** What the record said each time that a row's case was last survived: row by row, by the names of its cases. */
type FaultRecords = Readonly<Record<string, Readonly<Record<string, string>>>>;

const file = new URL('fault-records.json', import.meta.url);

export function storedRecords(): FaultRecords {
  return JSON.parse(readFileSync(file, 'utf8')) as FaultRecords;
}

/**
 * Keeps what a case has shown, or with `undefined` that it is to be shown anew: what fails has no record. Only where
 * tables are written; the table of docs/lab/reliability.md goes with it.
 */
export function record({ id }: FaultRow, name: string, said: string | undefined): void {
  if (!writesTables()) return;
  const { [name]: _, ...others } = storedRecords()[id] ?? {};
  const row = said === undefined ? others : { ...others, [name]: said };
  writeFileSync(file, `${JSON.stringify({ ...storedRecords(), [id]: row }, null, 2)}\n`);
  writeFaultTable();
}

export function writeFaultTable(): void {
  writeTable('faults', faultTable(faultRows, storedRecords()));
}

/** Pure. A row says how many of its times there are records of, and never more than its cases do. */
export function faultTable(rows: readonly FaultRow[], records: FaultRecords): readonly string[] {
  const told = rows.map((row) => {
    const said = row.cases.flatMap(({ name }) => {
      const text = records[row.id]?.[name];
      return text === undefined ? [] : [{ name, text }];
    });
    return { row, said };
  });
  const whole = told.filter(({ row, said }) => said.length === row.cases.length).length;
  return [
    '| fault | survived | what the record says |',
    '|---|---|---|',
    ...told.map(({ row, said }) => `| ${row.title} | ${howOften(row, said.length)} | ${inWords(row, said)} |`),
    '',
    `${whole} of ${rows.length}, each as often as its row says.`,
  ];
}

function howOften({ cases }: FaultRow, survived: number): string {
  if (survived === 0) return 'not run';
  return `${survived} of ${cases.length}`;
}

interface Said {
  readonly name: string;
  readonly text: string;
}

/** What several cases said alike is said once, with their names where others said something else, or nothing yet. */
function inWords({ cases }: FaultRow, said: readonly Said[]): string {
  const texts = [...new Set(said.map(({ text }) => text))];
  if (texts.length < 2 && said.length === cases.length) return texts.join('');
  const namesOf = (text: string) => said.filter((one) => one.text === text).map(({ name }) => name);
  return texts.map((text) => `${namesOf(text).join(', ')}: ${text}`).join('<br>');
}
