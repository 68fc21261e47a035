import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { kill } from 'node:process';
import { createInterface } from 'node:readline';

/** One running coturn. */
export interface CoturnProcess {
  /** Of the shell above it; coturn is its only child of note. */
  readonly pid: number | undefined;
  /** Resolves with how it ended: "ended by SIGKILL". */
  readonly exited: Promise<string>;
  /** The last lines that it wrote. */
  lastWords(): string;
  /** Ends it at once and for good: it keeps nothing that needs an end in order. */
  end(): Promise<void>;
}

/**
 * coturn does not end with its parent. A shell stands between: it ends coturn when our end of its standard input closes,
 * which it does however we end, and it ends itself when coturn does, with coturn's status.
 */
const supervisor = `
exec 3<&0
turnserver -c "$1" </dev/null 3<&- &
server=$!
( read -r never <&3; kill -9 "$server" ) 2>/dev/null &
watcher=$!
exec 3<&-
wait "$server"
status=$?
kill "$watcher" 2>/dev/null
exit "$status"`;

const keptLines = 20;

/** The command line names the configuration file and no secret. */
export function startCoturn(configPath: string, onLine: (line: string) => void): CoturnProcess {
  // A group of its own, so that Ctrl-C reaches us alone and we end it in order.
  const child = spawn('sh', ['-c', supervisor, 'sh', configPath], { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const last: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      last.push(line.replace(/^\d+: (: )?/, ''));
      if (last.length > keptLines) last.shift();
      onLine(line);
    });
  }
  // Written to by nobody; an error there only means that the process is gone, which `exited` tells.
  child.stdin.on('error', () => undefined);
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
    child.once('exit', (code, signal) => resolve(howItEnded(code, signal)));
  });
  return {
    pid: child.pid,
    exited,
    lastWords: () =>
      last
        .filter((line) => /error|cannot|fail|bind/i.test(line))
        .slice(-3)
        .join(' · '),
    end: async () => {
      killGroup(child);
      await exited;
      // The shell is gone; what it had started is in its group and must not outlive it.
      killGroup(child);
      child.stdin.destroy();
    },
  };
}

/** A shell says 128 + n of a child that signal n ended (POSIX sh, 2.8.2). */
export function howItEnded(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal !== null) return `ended by ${signal}`;
  const ofChild = Object.entries(constants.signals).find(([, number]) => code === 128 + number)?.[0];
  return ofChild === undefined ? `exited with code ${code}` : `ended by ${ofChild}`;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    kill(-pid, 'SIGKILL');
  } catch {
    // ESRCH: nothing of the group is left, which is what was wanted.
  }
}
