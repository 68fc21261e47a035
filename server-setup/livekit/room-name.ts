import { randomBytes } from 'node:crypto';
import type { Owner } from '../session-owner.js';

/** What tells a room of ours from those of others. No host name has a colon. */
const ours = 'loadline';

/** Whose a room is stands in its name: a room that a late participant brings back has nothing else. */
export function roomNameOf({ host, pid }: Owner, session: string): string {
  return [ours, host, pid, session, randomBytes(4).toString('hex')].join(':');
}

/** Who made a room; `undefined` for a room of others. */
export function ownerOfRoom(name: string): Owner | undefined {
  const [, host, pid] = new RegExp(`^${ours}:([^:]+):(\\d+):`).exec(name) ?? [];
  return host === undefined || pid === undefined ? undefined : { host, pid: Number(pid) };
}
