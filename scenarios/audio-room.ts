import type { MediaKind, Participant, Scenario } from '../model/scenario.js';
import { memberIds } from './group.js';

const audio: readonly MediaKind[] = ['audio'];

/** Rooms of sound: each member sends its voice and receives one mixed sound of the others. */
export function audioRoom(roomSize: number): Scenario {
  return {
    name: 'audio-room',
    unit: { one: 'room', many: 'rooms' },
    ofMembers: audioRoom,
    summary: `audio rooms of ${roomSize}: each sends audio and receives the mixed sound of all others`,
    baselineSize: 1,
    sessions: (size) =>
      Array.from({ length: size }, (_, index) => {
        const room = String(index + 1);
        const participants = memberIds(room, roomSize).map(
          (id): Participant => ({
            id,
            session: room,
            role: 'member',
            legs: [{ id, sends: audio, receives: audio, from: { mix: true } }],
          }),
        );
        return { id: room, shape: 'mix-sound', participants };
      }),
  };
}
