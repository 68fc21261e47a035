import type { Scenario } from '../model/scenario.js';
import { forwardedRooms, mixedRooms } from './group.js';

/** Rooms of sound: each member sends its voice and receives one mixed sound of the others. */
export function audioRoom(roomSize: number): Scenario {
  return {
    name: 'audio-room',
    unit: { one: 'room', many: 'rooms' },
    ofMembers: audioRoom,
    summary: `rooms of ${roomSize} without pictures, mixed: each sends its voice and receives one sound of all others`,
    baselineSize: 1,
    sessions: (size) => mixedRooms(size, roomSize, { shape: 'mix-sound', kinds: ['audio'] }),
  };
}

/** Rooms of sound on an SFU: each member sends its voice and receives that of every other. */
export function sfuAudioRoom(roomSize: number): Scenario {
  return {
    name: 'sfu-audio-room',
    ofMembers: sfuAudioRoom,
    summary: `rooms of ${roomSize} without pictures, not mixed: each sends its voice and receives that of every other (as sfu-group --audio-only)`,
    ...forwardedRooms(roomSize, ['audio']),
  };
}
