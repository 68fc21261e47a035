import { cleaned } from '../cleanliness.js';
import type { Cleaned } from '../server-events.js';
import { isOrphaned, type Owner, ownerOf } from '../session-owner.js';
import type { Connected } from './connect.js';
import { destroyRoom, type ListedRoom, roomsOf, tagIn } from './rooms.js';

interface Cleaning extends Pick<Connected, 'calls' | 'controls' | 'admin'> {
  readonly self: Owner;
  readonly withinMs: number;
}

const words = { server: 'Janus', ours: 'rooms and sessions of ours', released: 'destroyed' };

/**
 * Ends every session of ours but the one by which this is asked, and destroys each room that is ours or an orphan of an
 * earlier run. Where the Admin API is to be had, sessions are listed, too, and those of others counted; else rooms with
 * somebody in them. Rejects as `cleaned` does.
 */
export async function clean(cleaning: Cleaning, signal: AbortSignal): Promise<Cleaned> {
  const { calls, controls, admin, self, withinMs } = cleaning;
  const isControl = (session: number) => controls.some((one) => one.session === session);
  const ended = calls.unproven.filter((session) => !isControl(session));
  await Promise.all(ended.map((session) => calls.endSession(session)));
  const look = async () => {
    const rooms = await roomsOf(calls, controls, signal);
    const left = rooms.filter((room) => isOrphaned(ownerIn(room), self));
    const sessions = await admin?.sessions(signal);
    const alive = ended.filter((session) => sessions?.includes(session));
    const foreign = sessions?.filter((one) => !isControl(one)) ?? rooms.filter(({ participants }) => participants > 0);
    return {
      left: [
        ...left.map((one) => ({
          name: `room ${one.room}`,
          isOrphan: ownerIn(one)?.pid !== self.pid,
          release: () => destroyRoom(calls, one.listedBy, one.room),
        })),
        ...alive.map((one) => ({ name: `session ${one}`, isOrphan: false, release: async () => undefined })),
      ],
      foreign: foreign.length,
    };
  };
  const found = await cleaned({ look, withinMs, words }, signal);
  calls.seenGone(ended);
  return found;
}

function ownerIn({ description }: ListedRoom): Owner | undefined {
  const tag = tagIn(description);
  return tag === undefined ? undefined : ownerOf(tag);
}
