import { readFile } from 'node:fs/promises';
import { LoadlineError } from '../../model/errors.js';
import { unreadFile } from '../../model/file-refusal.js';
import type { User } from './log-ins.js';

/** One field, quoted or not, and what ends it (RFC 4180). */
const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/** Reads a file of users, whose first line names the columns. Throws E_USAGE with the line. */
export async function readUsers(path: string): Promise<readonly User[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const { why, todo } = unreadFile(error, 'name a CSV file that is there');
    throw unreadable(path, why, todo);
  });
  const [columns = [], ...rows] = rowsOf(text.replace(/^\uFEFF/, ''), path);
  if (columns.some((name) => !/^[A-Za-z_]\w*$/.test(name)) || new Set(columns).size < columns.length)
    throw unreadable(`${path}, line 1`, 'it is no list of columns, each with a name of its own');
  if (rows.length === 0) throw unreadable(path, 'no user stands below the names of the columns');
  return rows.map((row, nth) => {
    if (row.length === columns.length) return Object.fromEntries(columns.map((name, at) => [name, row[at] ?? '']));
    throw unreadable(`${path}, user ${nth + 1}`, `it has ${row.length} columns, and line 1 names ${columns.length}`);
  });
}

function rowsOf(text: string, path: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  field.lastIndex = 0;
  while (field.lastIndex < text.length) {
    const found = field.exec(text);
    if (!found) throw unreadable(`${path}, row ${rows.length}`, 'a quote stands within a field that is not quoted');
    const [, quoted, plain = '', end] = found;
    rows.at(-1)?.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    if (end !== ',') rows.push([]);
    // What ends with a comma has one more field, which is empty.
    else if (field.lastIndex === text.length) rows.at(-1)?.push('');
  }
  return rows.filter((row) => row.some((value) => value !== ''));
}

const asCsv = 'write it as CSV, with the names of its columns in line 1: name,email';

function unreadable(where: string, why: string, todo = asCsv): LoadlineError {
  return new LoadlineError('E_USAGE', 'The file of users cannot be read.', {
    where: `--users ${where}`,
    why,
    todo,
  });
}
