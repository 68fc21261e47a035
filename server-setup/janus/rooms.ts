import { randomInt } from 'node:crypto';
import { z } from 'zod';
import type { ScalabilityMode } from '../../model/codec.js';
import { LoadlineError } from '../../model/errors.js';
import type { Handle, JanusCalls } from './janus-calls.js';
import { noSuchRoom, orGone } from './refusals.js';

const listSchema = z.array(
  z.object({ room: z.number(), description: z.string().optional(), num_participants: z.number().optional() }),
);

export interface ListedRoom {
  readonly room: number;
  readonly description: string;
  readonly participants: number;
  /** Of the plugin whose room it is. */
  readonly listedBy: Handle;
}

export interface VideoRoomOptions {
  readonly description: string;
  readonly publishers: number;
  readonly videoKbps: number;
  readonly videoCodec: string;
  readonly svc: ScalabilityMode | undefined;
  readonly key: string | undefined;
}

/** Between the key frames of layers within a stream: who joins waits for one. */
const keyFrameSeconds = 5;
const ours = 'loadline ';

/** What tells a room of ours from those of others, and whose it is. */
export function descriptionOf(tag: string): string {
  return `${ours}${tag}`;
}

/** The tag of whoever made a room; `undefined` for a room of others. */
export function tagIn(description: string): string | undefined {
  return description.startsWith(ours) ? description.slice(ours.length) : undefined;
}

/** Makes a room and says its number. The caller's handle joins it no more than any other. */
export async function createVideoRoom(calls: JanusCalls, handle: Handle, options: VideoRoomOptions): Promise<number> {
  const room = newNumber();
  await calls.message(handle, {
    request: 'create',
    room,
    description: options.description,
    permanent: false,
    // Listed, so that a reset can show that it is gone.
    is_private: false,
    publishers: options.publishers,
    bitrate: options.videoKbps * 1000,
    // Told to senders by REMB, and not to be raised by them.
    bitrate_cap: true,
    audiocodec: 'opus',
    videocodec: options.videoCodec,
    // Up to 1.1.3 the room says it, later who publishes. It goes up a layer at a key frame, and asks for none itself.
    ...(options.svc ? { video_svc: true, fir_freq: keyFrameSeconds } : {}),
    // Who comes and goes is known here already; telling everybody of it costs Janus N messages each time.
    notify_joining: false,
    require_pvtid: false,
    ...(options.key === undefined ? {} : { admin_key: options.key }),
  });
  return room;
}

/** A room of AudioBridge, whose sound is mixed at the rate at which Opus is sent. */
export async function createAudioRoom(calls: JanusCalls, handle: Handle, description: string): Promise<number> {
  const room = newNumber();
  const kept = { permanent: false, is_private: false };
  await calls.message(handle, { request: 'create', room, description, ...kept, sampling_rate: 48_000 });
  return room;
}

const newNumber = (): number => randomInt(1_000_000_000, 2_000_000_000);

/** One that is gone is destroyed, too. */
export async function destroyRoom(calls: JanusCalls, handle: Handle, room: number): Promise<void> {
  await orGone(calls.message(handle, { request: 'destroy', room }), ...noSuchRoom);
}

/** Those that Janus lists, by a handle of each plugin; private rooms of others are not among them. */
export async function roomsOf(calls: JanusCalls, handles: readonly Handle[], signal?: AbortSignal) {
  const lists = handles.map(async (listedBy) => {
    const { plugindata } = await calls.message(listedBy, { request: 'list' }, { isEvidence: true, signal });
    const listed = listSchema.safeParse(plugindata?.data.list);
    if (!listed.success) throw new LoadlineError('E_SERVER_PROTOCOL', 'Janus does not list its rooms as expected.');
    return listed.data.map(({ room, description = '', num_participants = 0 }) => ({
      room,
      description,
      participants: num_participants,
      listedBy,
    }));
  });
  return (await Promise.all(lists)).flat();
}
