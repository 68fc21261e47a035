import { open, readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { given } from '../../model/given.js';
import { redacted, redactedCopy, withoutSecrets } from '../../model/secrets.js';
import type { StudiedServer } from '../../model/study.js';
import type { StudyServer } from './study-file.js';

/** Of one server, and of one file: what is longer is cut. */
const mostFiles = 20;
const mostBytes = 64 * 1024;

/** In a folder that a command names. */
const isConfiguration = (name: string) => /\.(ya?ml|json|toml|conf|cfg|jcfg|ini|xml)$/.test(name);
/** What a server writes, and what holds secrets alone. */
const isNoConfiguration = (name: string) => /\.(log|pem|key|crt|db)$|^\.env/.test(name);

const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g;
/** Keys of servers have names of their own ("devkey"). */
const longWord = /([:=]\s*["']?)[\w+-]{20,}={0,2}(?=["'\s,;})\]]|$)/g;

const hidden = (text: string): string =>
  withoutSecrets(text).replaceAll(privateKey, redacted).replaceAll(longWord, `$1${redacted}`);

/** What the study gives a server, and the files that its command names, as they are now and without secrets. */
export async function setUpOf(server: StudyServer, folder: string): Promise<StudiedServer> {
  const { name, start, stop, cores, memoryBytes, cpus, simulate, plan } = server;
  const commands = { start: start && hidden(start), stop: stop && hidden(stop) };
  return {
    ...{ name, plan: redactedCopy({ ...plan, ...(simulate ? { simulate } : {}) }) },
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
    return path === '' || (/\bcd\b/.test(start) && !path.startsWith('/')) ? [] : [path];
  });
  const found = await Promise.all([...new Set(words)].map((path) => filesAt(path, folder)));
  return found.flat().slice(0, mostFiles);
}

async function filesAt(path: string, folder: string): Promise<StudiedServer['files']> {
  const whole = resolve(folder, path);
  const what = await stat(whole).catch(() => undefined);
  if (what?.isDirectory()) {
    const names = (await readdir(whole).catch((): string[] => [])).filter(isConfiguration).sort();
    const files = await Promise.all(names.map((name) => textOf(join(whole, name))));
    return files.flatMap((text, nth) => (text === undefined ? [] : [{ path: join(path, names[nth] ?? ''), text }]));
  }
  const text = what?.isFile() && !isNoConfiguration(basename(path)) ? await textOf(whole) : undefined;
  return text === undefined ? [] : [{ path, text }];
}

/** Undefined of what is no text, and of what this user may not read. */
async function textOf(path: string): Promise<string | undefined> {
  const file = await open(path).catch(() => undefined);
  if (!file) return undefined;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(mostBytes + 1), 0, mostBytes + 1, 0);
    const read = buffer.subarray(0, bytesRead);
    if (read.includes(0)) return undefined;
    return hidden(bytesRead > mostBytes ? `${read.toString('utf8', 0, mostBytes)}\n… (cut)` : read.toString('utf8'));
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}
