import { LoadlineError } from '../model/errors.js';
import type { ServerOption, ServerWords } from './server-kind.js';

/** Whether sessions on the server are released before each trial, or a user's command restarts it. */
export const restartOption: ServerOption = {
  flags: [
    {
      flag: '--reset <how>',
      help: 'before each trial: release what is on the server, or restart it',
      fallback: 'release',
    },
    { flag: '--reset-command <shell>', help: 'what restarts the server, with --reset restart' },
  ],
  follows: [{ setting: 'restartCommand', flag: '--reset restart --reset-command', isRun: true }],
  read: (words) => {
    const restartCommand = readRestart(words);
    return restartCommand === undefined ? {} : { restartCommand };
  },
  refusal: ({ inWords, place }) => ({
    text: `--reset restart is not for ${inWords}.`,
    why:
      place.by === 'start'
        ? 'it is a process of this run'
        : 'what is on it is released before each trial, and a restart was not tried',
  }),
};

/** The command of `--reset restart`; undefined for `--reset release`. */
function readRestart({ reset = 'release', resetCommand }: ServerWords): string | undefined {
  if (reset !== 'release' && reset !== 'restart') {
    throw new LoadlineError('E_USAGE', `--reset must be release or restart, not "${reset}".`, {
      where: '--reset',
      todo: { write: { '--reset': 'release' } },
    });
  }
  const command = String(resetCommand ?? '').trim();
  if (reset === 'restart' && command !== '') return command;
  if (reset === 'release' && resetCommand === undefined) return undefined;
  const needsCommand = '--reset restart needs the command that restarts the server.';
  const what = reset === 'restart' ? needsCommand : '--reset-command does nothing without --reset restart.';
  throw new LoadlineError('E_USAGE', what, {
    where: '--reset, --reset-command',
    todo: { write: { '--reset': 'restart', '--reset-command': 'systemctl restart media-server' } },
  });
}
