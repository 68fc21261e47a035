import { setTimeout as pause } from 'node:timers/promises';
import { LoadlineError } from '../../model/errors.js';
import type { Cleaned } from '../server-events.js';
import { isOrphaned, type Owner, ownerOf } from '../session-owner.js';
import type { AdminApi } from './admin-api.js';
import type { Handle, JanusCalls } from './janus-calls.js';
import { destroyRoom, type ListedRoom, roomsOf, tagIn } from './rooms.js';

interface Cleaning {
  readonly calls: JanusCalls;
  /** By which rooms are listed and destroyed: one for each plugin, in one session. */
  readonly controls: readonly Handle[];
  /** Where it is to be had, sessions are listed, too. */
  readonly admin: AdminApi | undefined;
  readonly self: Owner;
  readonly isRunning: (pid: number) => boolean;
  readonly withinMs: number;
}

const pollMs = 100;

/**
 * Ends every session of ours but the one by which this is asked, and destroys each room that is ours or an orphan of an
 * earlier run, until Janus lists none. Of others their sessions are counted where these are listed, else rooms with
 * somebody in them. Rejects with E_NOT_CLEAN when that takes longer than `withinMs`, and with the errors of calls.
 */
export async function clean(cleaning: Cleaning, signal: AbortSignal): Promise<Cleaned> {
  const { calls, controls, admin, self, isRunning, withinMs } = cleaning;
  const isControl = (session: number) => controls.some((one) => one.session === session);
  const endsAtMs = performance.now() + withinMs;
  const ended = calls.unproven.filter((session) => !isControl(session));
  await Promise.all(ended.map((session) => calls.endSession(session)));
  const orphans = new Set<number>();
  for (;;) {
    const rooms = await roomsOf(calls, controls, signal);
    const left = rooms.filter((room) => isOrphaned(ownerIn(room), self, isRunning));
    const sessions = await admin?.sessions(signal);
    const alive = ended.filter((session) => sessions?.includes(session));
    if (left.length === 0 && alive.length === 0) {
      calls.seenGone(ended);
      const foreign = sessions?.filter((one) => !isControl(one)).length;
      return { orphans: orphans.size, foreign: foreign ?? rooms.filter(({ participants }) => participants > 0).length };
    }
    if (performance.now() > endsAtMs) throw notClean(withinMs, left, alive);
    for (const one of left.filter((found) => ownerIn(found)?.pid !== self.pid)) orphans.add(one.room);
    await Promise.all(left.map(({ room, listedBy }) => destroyRoom(calls, listedBy, room)));
    await pause(pollMs, undefined, { signal });
  }
}

function ownerIn({ description }: ListedRoom): Owner | undefined {
  const tag = tagIn(description);
  return tag === undefined ? undefined : ownerOf(tag);
}

function notClean(withinMs: number, rooms: readonly ListedRoom[], sessions: readonly number[]): LoadlineError {
  const what = [...rooms.map(({ room }) => `room ${room}`), ...sessions.map((one) => `session ${one}`)];
  const some = what.slice(0, 3).join(', ');
  return new LoadlineError('E_NOT_CLEAN', `The Janus still holds ${what.length} rooms and sessions of ours.`, {
    why: `destroyed, and ${withinMs / 1000} s later still listed: ${some}${what.length > 3 ? ', …' : ''}`,
    todo: 'restart the Janus; a trial on a server that is not clean would measure what was left there',
  });
}
