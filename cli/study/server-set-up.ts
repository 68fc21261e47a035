import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { given } from '../../model/given.js';
import { redactedCopy, withoutLikelySecrets } from '../../model/secrets.js';
import type { StudiedServer, Study } from '../../model/study.js';
import type { StudyServer } from './study-file.js';

/** Of one server, and of one file: a larger one is no configuration. */
const mostFiles = 20;
const mostBytes = 1024 * 1024;

/** What else a command names may be a log, a key or a recording. */
const isConfiguration = (name: string) => /\.(ya?ml|json|toml|conf|cfg|jcfg|ini|xml|sh)$/.test(name);

/**
 * What the study gives a server, and the files that its command names. Of files it tells a hash alone: no text of a
 * format that is not known can be shown without its secrets.
 */
export async function setUpOf(server: StudyServer, folder: string): Promise<StudiedServer> {
  const { name, start, stop, cores, memoryBytes, cpus, simulate, plan } = server;
  const commands = { start: start && withoutLikelySecrets(start), stop: stop && withoutLikelySecrets(stop) };
  return {
    ...{ name, plan: redactedCopy({ ...plan, ...given({ simulate }) }, withoutLikelySecrets) },
    ...given({ ...commands, cores, memoryBytes, cpus }),
    files: start === undefined ? [] : await filesNamedIn(start, folder),
  };
}

/** Words are taken as a shell would leave them; nothing is known of the files of a command that changes its folder. */
async function filesNamedIn(start: string, folder: string): Promise<StudiedServer['files']> {
  const words = start.split(/[\s;&|"'()<>]+/).flatMap((word) => {
    const [path = ''] = word
      .replace(/^[\w-]+=/, '')
      .replace(/^\$(PWD|\{PWD\})\//, '')
      .split(':');
    return /^\.?$/.test(path) || (/\bcd\b/.test(start) && !path.startsWith('/')) ? [] : [path];
  });
  const found = await Promise.all([...new Set(words)].map((path) => filesAt(path, folder)));
  return found.flat().slice(0, mostFiles);
}

async function filesAt(path: string, folder: string): Promise<StudiedServer['files']> {
  const what = await stat(resolve(folder, path)).catch(() => undefined);
  if (!what?.isDirectory()) return fileAt(path, folder);
  const names = (await readdir(resolve(folder, path)).catch((): string[] => [])).filter(isConfiguration).sort();
  return (await Promise.all(names.map((name) => fileAt(join(path, name), folder)))).flat();
}

/** None of what is no configuration, and of what this user may not read. */
async function fileAt(path: string, folder: string): Promise<StudiedServer['files']> {
  const whole = resolve(folder, path);
  const what = isConfiguration(path) ? await stat(whole).catch(() => undefined) : undefined;
  const bytes = what?.isFile() && what.size <= mostBytes ? await readFile(whole).catch(() => undefined) : undefined;
  return bytes ? [{ path, sha256: createHash('sha256').update(bytes).digest('hex') }] : [];
}

/** Files that were there when the study began and are others now. They warn alone: a server may write its own. */
export function changedFiles(begun: Study, servers: readonly StudiedServer[]): string[] {
  return servers.flatMap(({ name, files }) => {
    const before = begun.servers?.find((one) => one.name === name)?.files ?? [];
    const changed = files.filter(({ path, sha256 }) =>
      before.some((one) => one.path === path && one.sha256 !== undefined && one.sha256 !== sha256),
    );
    return changed.map(({ path }) => `  warning: ${name}: ${path} has changed since the study began.`);
  });
}
