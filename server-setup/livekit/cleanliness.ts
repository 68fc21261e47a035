import { cleaned } from '../cleanliness.js';
import type { Cleaned } from '../server-events.js';
import { isOrphaned, type Owner } from '../session-owner.js';
import { ownerOfRoom } from './room-name.js';
import type { RoomService } from './rooms.js';

interface Cleaning {
  readonly service: RoomService;
  readonly self: Owner;
  readonly withinMs: number;
}

const words = { server: 'LiveKit', ours: 'rooms of ours', released: 'deleted' };

/**
 * Deletes each room that is ours or an orphan of an earlier run. Rooms of others are counted where somebody is in them.
 * Rejects as `cleaned` does.
 */
export function clean({ service, self, withinMs }: Cleaning, signal: AbortSignal): Promise<Cleaned> {
  const look = async () => {
    const rooms = await service.list(signal);
    const left = rooms.flatMap(({ name }) => {
      const owner = ownerOfRoom(name);
      const release = () => service.delete(name, signal);
      return isOrphaned(owner, self) ? [{ name, isOrphan: owner?.pid !== self.pid, release }] : [];
    });
    return { left, foreign: rooms.filter(({ participants }) => participants > 0).length };
  };
  return cleaned({ look, withinMs, words }, signal);
}
