import { basename } from 'node:path';
import { isRunning, readProcesses } from '../../host/processes.js';
import { readText } from '../../host/read-text.js';
import { LoadlineError } from '../../model/errors.js';
import { findListener } from './process-resources.js';

/** The process that `--server-pid` or `--server-name` says: "4711", "port:8088" or "name:janus". Throws E_USAGE. */
export async function namedProcess(said: string): Promise<number> {
  const [, port] = /^port:(\d+)$/.exec(said) ?? [];
  if (port !== undefined) return (await findListener(Number(port)))?.pid ?? missing(noListener(port));
  const [, name] = /^name:(.*)$/s.exec(said) ?? [];
  if (name !== undefined) return byName(name);
  return isRunning(Number(said)) ? Number(said) : missing(`There is no process ${said} on this host.`);
}

const noListener = (port: string): string => `No process of this host listens on TCP port ${port}.`;

function missing(what: string): never {
  throw new LoadlineError('E_USAGE', what, {
    where: '--server-pid, --server-name',
    todo: 'name the process of the media server by its number, by port:N or by its name; those of other users are seen by root alone',
  });
}

/** What one has started under its own name is the same server. */
async function byName(name: string): Promise<number> {
  const all = await readProcesses();
  const named = (await Promise.all(all.map(async (one) => ((await isCalled(one.pid, name)) ? [one] : [])))).flat();
  const pids = new Set(named.map(({ pid }) => pid));
  const [found, ...others] = named.filter(({ parent, state }) => !pids.has(parent) && state !== 'Z');
  if (!found) return missing(`No process of this host is called ${JSON.stringify(name)}.`);
  if (others.length === 0) return found.pid;
  throw new LoadlineError(
    'E_USAGE',
    `${others.length + 1} processes of this host are called ${JSON.stringify(name)}.`,
    {
      where: '--server-name',
      why: `they are ${[found, ...others].map(({ pid }) => pid).join(', ')}`,
      todo: 'say which by its number: --server-pid PID',
    },
  );
}

/** By its name, which is cut to 15 characters (proc(5), comm), or by the program that it was started as. */
async function isCalled(pid: number, name: string): Promise<boolean> {
  if ((await readText(`/proc/${pid}/comm`)).trim() === name.slice(0, 15))
    return name.length <= 15 || (await startedAs(pid)) === name;
  return (await startedAs(pid)) === name;
}

async function startedAs(pid: number): Promise<string> {
  return basename((await readText(`/proc/${pid}/cmdline`)).split('\0')[0] ?? '');
}
