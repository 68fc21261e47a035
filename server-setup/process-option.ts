import { LoadlineError } from '../model/errors.js';
import { oneOut } from '../model/remedy.js';
import type { ServerOption, ServerWords } from './server-kind.js';

/** Which process of this host is the media server, where its kind cannot tell, or finds another one. */
export const processOption: ServerOption = {
  flags: [
    {
      flag: '--server-pid <pid>',
      help: "the media server's process on this host, or port:N for the one that listens there",
    },
    { flag: '--server-name <name>', help: 'the same by the name of its program, as ps shows it' },
  ],
  reaches: true,
  read: (words) => {
    const process = readProcess(words);
    return process === undefined ? {} : { process };
  },
  refusal: ({ inWords }, address) => ({
    text: '--server-pid and --server-name are for servers that Loadline does not start itself.',
    why: `${inWords} (${address}) is a process of this run`,
  }),
};

function readProcess({ serverPid, serverName }: ServerWords): string | undefined {
  if (serverPid === undefined && serverName === undefined) return undefined;
  if (serverPid !== undefined && serverName !== undefined) {
    throw new LoadlineError('E_USAGE', '--server-pid and --server-name both say which process is the server.', {
      where: '--server-pid, --server-name',
      todo: oneOut('--server-pid', '--server-name'),
    });
  }
  if (serverName !== undefined) return `name:${String(serverName)}`;
  const text = String(serverPid);
  if (/^(port:)?[1-9]\d{0,6}$/.test(text)) return text;
  throw new LoadlineError('E_USAGE', `--server-pid cannot read "${text}".`, {
    where: '--server-pid',
    why: 'it is the number of a process, or the TCP port that it listens on',
    todo: { write: { '--server-pid': 'port:8088' } },
  });
}
