import { spawn } from 'node:child_process';
import { childEnvironment } from './child-environment.js';
import { type ChildEnd, endOf, onLines, signalGroup } from './child-processes.js';
import type { OwnedFolders } from './owned-folders.js';
import { killNow, processesWith } from './processes.js';
import { removeFolder } from './remove-folder.js';

/**
 * For programs that do not end with whoever started them. A shell stands between: it ends the program when our end of
 * its standard input closes, which it does however we end, and it ends itself when the program does, with the program's
 * status.
 */
const supervisor = `
exec 3<&0
"$@" </dev/null 3<&- &
program=$!
( read -r never <&3; kill -9 "$program" ) 2>/dev/null &
watcher=$!
exec 3<&-
wait "$program"
status=$?
kill "$watcher" 2>/dev/null
exit "$status"`;

/** The command that runs these words so. It wants a pipe as its standard input. */
export function tied(words: readonly string[]): readonly [string, readonly string[]] {
  return ['sh', ['-c', supervisor, 'sh', ...words]];
}

interface TiedProcess {
  /** Of the shell above it, which leads its group. */
  readonly pid: number | undefined;
  readonly exited: Promise<ChildEnd>;
  /** What it wrote last, so many lines at the most; goes on being filled. */
  readonly lastLines: readonly string[];
  /** Ends it at once and for good. */
  end(): Promise<void>;
}

interface TiedOptions {
  readonly keptLines: number;
  readonly onLine?: (line: string) => void;
  /** Of which it gets what such a program needs, and no login; absent: that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Starts these words so, in a group of their own: Ctrl-C reaches us alone, and we end them in order. */
export function startTied(words: readonly string[], { keptLines, onLine, env }: TiedOptions): TiedProcess {
  const [shell, args] = tied(words);
  const child = spawn(shell, args, { detached: true, stdio: ['pipe', 'pipe', 'pipe'], env: childEnvironment({}, env) });
  // Written to by nobody; an error there only means that the process is gone, which `exited` tells.
  child.stdin.on('error', () => undefined);
  const lastLines: string[] = [];
  onLines([child.stdout, child.stderr], (line) => {
    lastLines.push(line);
    if (lastLines.length > keptLines) lastLines.shift();
    onLine?.(line);
  });
  const exited = endOf(child);
  const end = async () => {
    signalGroup(child.pid);
    await exited;
    // The shell is gone; what it had started is in its group and must not outlive it.
    signalGroup(child.pid);
    child.stdin.destroy();
  };
  return { pid: child.pid, exited, lastLines, end };
}

/**
 * Removes the folders of such programs whose owner was killed, and those programs that still run. Returns what was
 * removed, each in a few words. Never rejects.
 */
export async function removeTied(
  folders: OwnedFolders,
  temporaryRoot: string,
  program: string,
): Promise<readonly string[]> {
  const removed = (await folders.abandoned(temporaryRoot)).map(async (folder) => {
    // Those that have a file of the folder on their command line.
    const pids = await processesWith((argument) => argument.startsWith(`${folder}/`));
    for (const pid of pids) killNow(pid);
    await removeFolder(folder);
    return [...pids.map((pid) => `the ${program} process ${pid}`), `the folder ${folder}`];
  });
  return (await Promise.all(removed)).flat();
}
