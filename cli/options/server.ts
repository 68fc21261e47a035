import { LoadlineError } from '../../model/errors.js';
import type { ServerPlan } from '../../model/plan.js';
import { parseServerUrl } from '../../server-setup/kurento/server-url.js';
import { readCpuLimit, readEgressLimit, readWord } from './values.js';

/** The flags that say which server it is and how it is treated, as words. */
export interface ServerFlags {
  readonly server: string;
  readonly egressLimit?: string;
  readonly cpuLimit?: string;
  readonly reset: string;
  readonly resetCommand?: string;
}

/** Reads them together, because some are for one kind of server only. Throws E_SERVER_URL, E_RATE, E_USAGE. */
export function readServer(flags: ServerFlags): ServerPlan {
  const egressLimitBps = readEgressLimit(flags.egressLimit);
  const cpuLimitCores = readCpuLimit(flags.cpuLimit);
  const restartCommand = readRestart(flags);
  if (flags.server === 'embedded') {
    if (restartCommand !== undefined) throw notForEmbedded();
    return {
      kind: 'embedded',
      ...(egressLimitBps === undefined ? {} : { egressLimitBps }),
      ...(cpuLimitCores === undefined ? {} : { cpuLimitCores }),
    };
  }
  parseServerUrl(flags.server);
  if (egressLimitBps !== undefined) throw embeddedOnly('--egress-limit', flags.server, 'network');
  if (cpuLimitCores !== undefined) throw embeddedOnly('--cpu-limit', flags.server, 'CPU');
  return { kind: 'kurento', url: flags.server, ...(restartCommand === undefined ? {} : { restartCommand }) };
}

/** The command of `--reset restart`; undefined for `--reset release`. */
function readRestart({ reset, resetCommand }: ServerFlags): string | undefined {
  const command = resetCommand?.trim() ?? '';
  const how = readWord(reset, '--reset', ['release', 'restart']);
  if (how === 'restart' && command !== '') return command;
  if (how === 'release' && resetCommand === undefined) return undefined;
  throw new LoadlineError(
    'E_USAGE',
    how === 'restart'
      ? '--reset restart needs the command that restarts the server.'
      : '--reset-command does nothing without --reset restart.',
    {
      where: '--reset, --reset-command',
      todo: "write for example --reset restart --reset-command 'systemctl restart kurento-media-server'",
    },
  );
}

function embeddedOnly(flag: string, server: string, what: string): LoadlineError {
  return new LoadlineError('E_USAGE', `${flag} is for the embedded server only.`, {
    where: flag,
    why: `--server names ${server}, whose ${what} Loadline does not control`,
    todo: `leave ${flag} out, or leave --server out to measure the embedded server`,
  });
}

function notForEmbedded(): LoadlineError {
  return new LoadlineError('E_USAGE', '--reset restart is for servers that Loadline does not start itself.', {
    where: '--reset',
    why: 'the embedded server is a process of this run',
    todo: 'leave --reset out, or name the server with --server kurento://HOST:PORT',
  });
}
