import type { MediaKind, Participant, Scenario, Session } from '../model/scenario.js';

const audioAndVideo: readonly MediaKind[] = ['audio', 'video'];

/** `a` to `z`, then `aa`, `ab` …: the letters of the members of a room. */
function memberLetters(index: number): string {
  const last = String.fromCharCode(97 + (index % 26));
  return index < 26 ? last : memberLetters(Math.floor(index / 26) - 1) + last;
}

export function memberIds(room: string, roomSize: number): readonly string[] {
  return Array.from({ length: roomSize }, (_, index) => `${room}${memberLetters(index)}`);
}

/** MCU rooms: each member sends its own media and receives one mixed picture and sound of all. */
export function group(roomSize: number): Scenario {
  return {
    name: 'group',
    unit: { one: 'room', many: 'rooms' },
    ofMembers: group,
    summary: `MCU rooms of ${roomSize}: each sends audio and video and receives one mix of all`,
    baselineSize: 1,
    sessions: (size) => mixedRooms(size, roomSize, { shape: 'mix', kinds: audioAndVideo }),
  };
}

/** Rooms in which each member sends and receives these kinds on one connection: its own, and one mix. */
export function mixedRooms(
  size: number,
  roomSize: number,
  { shape, kinds }: { readonly shape: Session['shape']; readonly kinds: readonly MediaKind[] },
): readonly Session[] {
  return Array.from({ length: size }, (_, index) => {
    const room = String(index + 1);
    const participants = memberIds(room, roomSize).map(
      (id): Participant => ({
        id,
        session: room,
        role: 'member',
        legs: [{ id, sends: kinds, receives: kinds, from: { mix: true } }],
      }),
    );
    return { id: room, shape, participants };
  });
}

/** SFU rooms: each member sends once and receives every other member on a connection of its own. */
export function sfuGroup(roomSize: number): Scenario {
  return {
    name: 'sfu-group',
    ofMembers: sfuGroup,
    summary: `SFU rooms of ${roomSize}: each sends audio and video and receives every other, unmixed`,
    ...forwardedRooms(roomSize, audioAndVideo),
  };
}

/** Rooms in which each member sends these kinds once, and receives every other on a connection of its own. */
export function forwardedRooms(
  roomSize: number,
  kinds: readonly MediaKind[],
): Pick<Scenario, 'unit' | 'baselineSize' | 'sessions' | 'coming'> {
  const member = (room: string, id: string, members: readonly string[]): Participant => {
    const receiving = members
      .filter((other) => other !== id)
      .map((other) => ({ id: `${id}:from-${other}`, sends: [], receives: kinds, from: { participant: other } }));
    return { id, session: room, role: 'member', legs: [{ id, sends: kinds, receives: [] }, ...receiving] };
  };
  return {
    unit: { one: 'room', many: 'rooms' },
    baselineSize: 1,
    sessions: (size) =>
      Array.from({ length: size }, (_, index) => {
        const room = String(index + 1);
        const ids = memberIds(room, roomSize);
        return { id: room, shape: 'forward', participants: ids.map((id) => member(room, id, ids)) };
      }),
    coming: {
      unit: { one: 'member', many: 'members' },
      who: 'members',
      meets: kinds,
      // So many rooms into which members come in turn: whom each of them meets is known only when it comes.
      sessions: (count, atATime) => {
        const rooms = Math.max(1, Math.round(atATime / roomSize));
        return Array.from({ length: Math.min(rooms, count) }, (_, index) => {
          const room = String(index + 1);
          const inRoom = Math.ceil((count - index) / rooms);
          const participants = Array.from({ length: inRoom }, (_, nth) => member(room, `${room}m${nth + 1}`, []));
          return { id: room, shape: 'forward', participants };
        });
      },
    },
  };
}
