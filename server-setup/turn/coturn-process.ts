import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { type ChildEnd, endOf, howItEnded, onLines, signalGroup } from '../../host/child-processes.js';
import { tied } from '../../host/tied-process.js';

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

const keptLines = 20;

/** The command line names the configuration file and no secret. */
export function startCoturn(configPath: string, onLine: (line: string) => void): CoturnProcess {
  // A group of its own, so that Ctrl-C reaches us alone and we end it in order.
  const [shell, words] = tied(['turnserver', '-c', configPath]);
  const child = spawn(shell, words, { detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const last: string[] = [];
  onLines([child.stdout, child.stderr], (line) => {
    last.push(line.replace(/^\d+: (: )?/, ''));
    if (last.length > keptLines) last.shift();
    onLine(line);
  });
  // Written to by nobody; an error there only means that the process is gone, which `exited` tells.
  child.stdin.on('error', () => undefined);
  const exited = endOf(child).then(howCoturnEnded);
  return {
    pid: child.pid,
    exited,
    lastWords: () =>
      last
        .filter((line) => /error|cannot|fail|bind/i.test(line))
        .slice(-3)
        .join(' · '),
    end: async () => {
      signalGroup(child.pid);
      await exited;
      // The shell is gone; what it had started is in its group and must not outlive it.
      signalGroup(child.pid);
      child.stdin.destroy();
    },
  };
}

/** A shell says 128 + n of a child that signal n ended (POSIX sh, 2.8.2). */
export function howCoturnEnded(end: ChildEnd): string {
  const name =
    end.kind === 'exited' && Object.entries(constants.signals).find(([, number]) => end.code === 128 + number)?.[0];
  return name ? `ended by ${name}` : howItEnded(end);
}
