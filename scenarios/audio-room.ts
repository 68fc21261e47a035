import type { Scenario } from '../model/scenario.js';
import { forwardedRooms, mixedRooms } from './group.js';

/** Rooms of sound: each member sends its voice and receives one mixed sound of the others. */
export function audioRoom(roomSize: number): Scenario {
  return {
    name: 'audio-room',
    unit: { one: 'room', many: 'rooms' },
    ofMembers: audioRoom,
    summary: `audio rooms of ${roomSize}: each sends audio and receives the mixed sound of all others`,
    baselineSize: 1,
    sessions: (size) => mixedRooms(size, roomSize, { shape: 'mix-sound', kinds: ['audio'] }),
  };
}

/** Rooms of sound on an SFU: each member sends its voice and receives that of every other. */
export function sfuAudioRoom(roomSize: number): Scenario {
  return {
    name: 'sfu-audio-room',
    ofMembers: sfuAudioRoom,
    summary: `SFU audio rooms of ${roomSize}: each sends audio and receives that of every other, unmixed`,
    ...forwardedRooms(roomSize, ['audio']),
  };
}
