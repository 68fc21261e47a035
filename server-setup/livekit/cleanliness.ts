import { setTimeout as pause } from 'node:timers/promises';
import { LoadlineError } from '../../model/errors.js';
import type { Cleaned } from '../server-events.js';
import { isOrphaned, type Owner } from '../session-owner.js';
import { ownerOfRoom } from './room-name.js';
import type { RoomService } from './rooms.js';

interface Cleaning {
  readonly service: RoomService;
  readonly self: Owner;
  readonly isRunning: (pid: number) => boolean;
  readonly withinMs: number;
}

const pollMs = 100;

/**
 * Deletes each room that is ours or an orphan of an earlier run, until the server lists none. Rooms of others are
 * counted where somebody is in them. Rejects with E_NOT_CLEAN when that takes longer than `withinMs`, and with the
 * errors of the room service.
 */
export async function clean({ service, self, isRunning, withinMs }: Cleaning, signal: AbortSignal): Promise<Cleaned> {
  const endsAtMs = performance.now() + withinMs;
  const orphans = new Set<string>();
  for (;;) {
    const rooms = await service.list(signal);
    const left = rooms.filter(({ name }) => isOrphaned(ownerOfRoom(name), self, isRunning));
    if (left.length === 0) {
      const foreign = rooms.filter(({ participants }) => participants > 0).length;
      return { orphans: orphans.size, foreign };
    }
    if (performance.now() > endsAtMs)
      throw notClean(
        withinMs,
        left.map(({ name }) => name),
      );
    for (const { name } of left) if (ownerOfRoom(name)?.pid !== self.pid) orphans.add(name);
    await Promise.all(left.map(({ name }) => service.delete(name, signal)));
    await pause(pollMs, undefined, { signal });
  }
}

function notClean(withinMs: number, rooms: readonly string[]): LoadlineError {
  const some = rooms.slice(0, 3).join(', ');
  return new LoadlineError('E_NOT_CLEAN', `The LiveKit still holds ${rooms.length} rooms of ours.`, {
    why: `deleted, and ${withinMs / 1000} s later still listed: ${some}${rooms.length > 3 ? ', …' : ''}`,
    todo: 'restart the LiveKit; a trial on a server that is not clean would measure what was left there',
  });
}
