import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { isRoot } from './is-root.js';
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

/** Limits for programs that parse foreign data (getrlimit(2)): far above honest work, below what hurts the host. */
interface Bounds {
  /** Of all its life; absent: what lives as long as a trial works for as long. */
  readonly cpuSeconds?: number;
  /** What it may write to, the stacks of its threads included (RLIMIT_DATA). Absent: any. */
  readonly memoryBytes?: number;
}

/**
 * Words in front of a program that parses what others send. Root's program runs as nobody; a program gets no rights by
 * what it starts, and keeps to `bounds`. It must be able to read `files`: where nobody can, it stays the user's own.
 * Empty where this host has neither setpriv(1) nor prlimit(1), which are of util-linux.
 */
export async function unprivilegedWords(bounds: Bounds, files: readonly string[] = []): Promise<readonly string[]> {
  const why = await whyPrivileged(files);
  return [...(await boundedBy(bounds)), ...(why === undefined ? await asNobody() : [])];
}

/** Why such a program of root stays root, a sentence part; `undefined` where it does not, or we are not root. */
export async function whyPrivileged(files: readonly string[] = []): Promise<string | undefined> {
  if (!isRoot()) return undefined;
  for (const file of files)
    if (!(await isFileOpenToAll(file).catch(() => false))) return `nobody but root may read ${file}`;
  return (await asNobody()).length > 0 ? undefined : 'setpriv (util-linux) is not installed';
}

/** With what setpriv and prlimit end where the program behind their words is not there. */
export const notFoundStatus = 127;

/** Asked once. */
const asNobody = once(async (): Promise<readonly string[]> => {
  const user = isRoot() ? asUser(await nobody()).slice(0, -1) : ['setpriv'];
  return ifTheyWork([...user, '--no-new-privs', '--']);
});

const asked = new Map<string, Promise<readonly string[]>>();

/** Where this process's own bounds are lower, those hold. A core file would be of what others sent. */
async function boundedBy({ cpuSeconds, memoryBytes }: Bounds): Promise<readonly string[]> {
  const own = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const isLower = (most: number | undefined, name: string): most is number =>
    most !== undefined && most < softLimit(own, name);
  const cpu = isLower(cpuSeconds, 'Max cpu time') ? [`--cpu=${cpuSeconds}`] : [];
  const memory = isLower(memoryBytes, 'Max data size') ? [`--data=${memoryBytes}`] : [];
  const words = ['prlimit', ...cpu, ...memory, '--core=0', '--'];
  const known = asked.get(words.join(' ')) ?? ifTheyWork(words);
  asked.set(words.join(' '), known);
  return known;
}

/** Of proc(5), `/proc/self/limits`; without end where it names none. */
export function softLimit(limits: string, name: string): number {
  const [, soft] = new RegExp(`^${name} +(\\d+) `, 'm').exec(limits) ?? [];
  return soft === undefined ? Number.POSITIVE_INFINITY : Number(soft);
}

async function ifTheyWork(words: readonly string[]): Promise<readonly string[]> {
  const [program = '', ...rest] = [...words, 'true'];
  const works = await new Promise<boolean>((resolve) => {
    execFile(program, rest, { timeout: tryBoundMs, cwd: '/' }, (error) => resolve(error === null));
  });
  return works ? words : [];
}
