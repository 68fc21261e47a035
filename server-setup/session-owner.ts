import { isRunning } from '../host/processes.js';
import { LoadlineError } from '../model/errors.js';
import type { Leg } from '../model/scenario.js';

/** Whose a session on a media server is, as a name or a tag that was given to it says. */
export interface Owner {
  readonly host: string;
  readonly pid: number;
}

/** `HOST PID`: enough to know later whether the run that made a session still lives. */
export function tagOf(owner: Owner): string {
  return `${owner.host} ${owner.pid}`;
}

export function ownerOf(tag: string): Owner | undefined {
  const [, host, pid] = /^(\S+) (\d+)$/.exec(tag) ?? [];
  return host === undefined || pid === undefined ? undefined : { host, pid: Number(pid) };
}

/** Made by a process of this machine that is gone, or is us. Those of other machines may be in use. */
export function isOrphaned(owner: Owner | undefined, self: Owner): boolean {
  if (owner === undefined || owner.host !== self.host) return false;
  return owner.pid === self.pid || !isRunning(owner.pid);
}

/** Of a server that was not started, or is stopped. */
export function notStarted(what: string, where: string): LoadlineError {
  return new LoadlineError('E_SERVER_LOST', `There is no media server to ask for "${what}": it is not started.`, {
    where,
  });
}

export function notNow({ id }: Leg): LoadlineError {
  const what = `Leg ${id} cannot join: its session is closed, or it joined already.`;
  return new LoadlineError('E_SERVER_REFUSED', what, { where: id });
}
