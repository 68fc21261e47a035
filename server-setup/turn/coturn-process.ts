import { constants } from 'node:os';
import { type ChildEnd, howItEnded } from '../../host/child-processes.js';
import { startTied } from '../../host/tied-process.js';

const keptLines = 20;
export type CoturnProcess = ReturnType<typeof startCoturn>;

/** The command line names the configuration file and no secret. */
export function startCoturn(configPath: string, onLine: (line: string) => void) {
  const { lastLines, exited, pid, end } = startTied(['turnserver', '-c', configPath], { keptLines, onLine });
  const lastWords = () =>
    lastLines
      .map((line) => line.replace(/^\d+: (: )?/, ''))
      .filter((line) => /error|cannot|fail|bind/i.test(line))
      .slice(-3)
      .join(' · ');
  return { pid, exited: exited.then(howCoturnEnded), lastWords, end };
}

/** A shell says 128 + n of a child that signal n ended (POSIX sh, 2.8.2). */
export function howCoturnEnded(end: ChildEnd): string {
  const name =
    end.kind === 'exited' && Object.entries(constants.signals).find(([, number]) => end.code === 128 + number)?.[0];
  return name ? `ended by ${name}` : howItEnded(end);
}
