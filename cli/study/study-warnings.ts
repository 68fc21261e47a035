import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { MissingSecret } from '../../model/environment.js';
import { LoadlineError } from '../../model/errors.js';
import type { CheckedCell } from './cell-plan.js';
import type { StudyServer } from './study-file.js';

/** A file by a name relative to where commands start: what else a word may be, the shell decides. */
const fileName = /^(?:--?[\w-]+=)?((?![/~])[\w./-]+\.(?:ya?ml|json|toml|conf|cfg|jcfg|ini|xml))$/;

/** What its runs would be refused for, or fail of, though the study file is right. */
export async function studyWarnings(
  { servers }: { readonly servers: readonly StudyServer[] },
  cells: readonly CheckedCell[],
  folder: string,
): Promise<string[]> {
  const lacking = lackingIn(cells).map(({ server, text, todo }) => [`${server}: ${text}`, todo] as const);
  const absent = await Promise.all(servers.map((server) => absentFiles(server, folder)));
  return [...lacking, ...absent.flat()].flatMap(([text, todo]) => [`  warning: ${text}`, `    do  ${todo}`]);
}

/** Throws E_USAGE where a server lets nobody in without what the environment lacks: its runs would all be refused. */
export function assertSecrets(cells: readonly CheckedCell[]): void {
  const [first] = lackingIn(cells);
  if (first) throw new LoadlineError('E_USAGE', first.text, { where: first.server, todo: first.todo });
}

function lackingIn(cells: readonly CheckedCell[]): readonly (MissingSecret & { readonly server: string })[] {
  const each = new Map(cells.flatMap(({ server: { name }, missing }) => (missing ? [[name, missing] as const] : [])));
  return [...each].map(([server, missing]) => ({ server, ...missing }));
}

/** Nothing is known of the files of a command that changes its folder. */
async function absentFiles({ name, start = '' }: StudyServer, folder: string) {
  if (/\bcd\b/.test(start)) return [];
  const named = start.split(/[\s;&|"']+/).flatMap((word) => fileName.exec(word)?.[1] ?? []);
  const there = await Promise.all(
    named.map((file) =>
      access(resolve(folder, file)).then(
        () => true,
        () => false,
      ),
    ),
  );
  return named.flatMap((file, nth) =>
    there[nth] ? [] : [[`${name}: its start names ${file}, which is not there.`, `put it into ${folder}`] as const],
  );
}
