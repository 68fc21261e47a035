import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { getuid } from 'node:process';
import { once } from './once.js';
import { isFileOpenToAll } from './open-to-all.js';

/** A user who may do nothing on this host. */
export interface Unprivileged {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Rights of its own it has none; that of others, where passwd(5) has no such user, is the kernel's overflow uid. */
export function nobodyOf(passwd: string): Unprivileged {
  const [, uid = '65534', gid = '65534'] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(passwd) ?? [];
  return { name: 'nobody', uid: Number(uid), gid: Number(gid) };
}

/** The one of this host. */
export const nobody = once(async () => nobodyOf(await readFile('/etc/passwd', 'utf8').catch(() => '')));

/** Words in front of a program's own that start it as this user, with no group and no right more (setpriv(1)). */
export function asUser({ uid, gid }: Unprivileged): readonly string[] {
  return ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--inh-caps=-all', '--'];
}

const tryBoundMs = 10_000;

/**
 * Words in front of a program that parses what others send, so that it may do nothing else: root's runs as nobody, and none gets
 * rights by what it starts. `files` are what it must be able to read: where nobody can, it stays the user's own. Empty where
 * this host has no setpriv(1), which is of util-linux.
 */
export async function unprivilegedWords(files: readonly string[] = []): Promise<readonly string[]> {
  // Who is not root stays who it is, and reads its own files.
  const read = getuid?.() === 0 ? files : [];
  const open = await Promise.all(read.map((file) => isFileOpenToAll(file).catch(() => false)));
  return open.every(Boolean) ? asNobody() : [];
}

/** With what setpriv ends where the program behind its words is not there. */
export const notFoundStatus = 127;

/** Asked once. */
const asNobody = once(async (): Promise<readonly string[]> => {
  const user = getuid?.() === 0 ? asUser(await nobody()).slice(0, -1) : ['setpriv'];
  const words = [...user, '--no-new-privs', '--'];
  const [program = '', ...rest] = [...words, 'true'];
  const works = await new Promise<boolean>((resolve) => {
    execFile(program, rest, { timeout: tryBoundMs, cwd: '/' }, (error) => resolve(error === null));
  });
  return works ? words : [];
});
