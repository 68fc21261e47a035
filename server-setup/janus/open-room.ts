import type { Handle, JanusCalls } from './janus-calls.js';
import { destroyRoom } from './rooms.js';

/** What there is of a session on Janus. */
export interface OpenRoom {
  readonly session: number;
  /** Of the room itself: nobody is in the room by it. */
  readonly handle: Handle;
  readonly room: number;
}

interface RoomOpening {
  readonly calls: JanusCalls;
  readonly plugin: string;
  readonly create: (handle: Handle) => Promise<number>;
  /** Janus has ended its session by itself. */
  readonly onEnded: () => void;
}

/** A room of a plugin, in a session of Janus of its own. When that fails half-way, nothing is left behind. */
export async function openRoom(
  { calls, plugin, create, onEnded }: RoomOpening,
  signal: AbortSignal,
): Promise<OpenRoom> {
  const session = await calls.createSession(onEnded);
  try {
    signal.throwIfAborted();
    const handle = await calls.attach(session, plugin);
    return { session, handle, room: await create(handle) };
  } catch (error) {
    await calls.endSession(session).catch(() => undefined);
    throw error;
  }
}

export async function closeRoom(calls: JanusCalls, { session, handle, room }: OpenRoom): Promise<void> {
  await destroyRoom(calls, handle, room);
  await calls.endSession(session);
}
