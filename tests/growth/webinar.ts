import type { Leg, MediaKind, Participant, Scenario } from '../../model/scenario.js';

const audioAndVideo: readonly MediaKind[] = ['audio', 'video'];
const session = '1';
const speakerIds: readonly string[] = [`${session}s1`, `${session}s2`];

const hears = (id: string, speaker: string): Leg => ({
  id: `${id}:from-${speaker}`,
  sends: [],
  receives: audioAndVideo,
  from: { participant: speaker },
});

const speakers = speakerIds.map(
  (id): Participant => ({
    id,
    session,
    role: 'speaker',
    presents: true,
    legs: [
      { id, sends: audioAndVideo, receives: [] },
      ...speakerIds.filter((other) => other !== id).map((other) => hears(id, other)),
    ],
  }),
);

const listener = (number: number): Participant => {
  const id = `${session}l${number}`;
  return { id, session, role: 'listener', legs: speakerIds.map((speaker) => hears(id, speaker)) };
};

export const webinar: Scenario = {
  name: 'webinar',
  unit: { one: 'listener', many: 'listeners', countsParticipants: true },
  summary: 'a webinar: two speakers hear each other, listeners hear both (the speakers are on top)',
  baselineSize: 1,
  sessions: (size) => [
    {
      id: session,
      shape: 'forward',
      participants: [...speakers, ...Array.from({ length: size }, (_, index) => listener(index + 1))],
    },
  ],
};
