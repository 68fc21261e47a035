import type { Leg, MediaKind, Panel, Participant, Scenario, Session } from '../model/scenario.js';

const session = '1';
const audioAndVideo: readonly MediaKind[] = ['audio', 'video'];

interface Speaker {
  readonly id: string;
  readonly sends: readonly MediaKind[];
}

const several = (count: number, letter: string, sends: readonly MediaKind[]): readonly Speaker[] =>
  Array.from({ length: count }, (_, index) => ({ id: `${session}${letter}${index + 1}`, sends }));

/** Everybody who speaks is received by everybody else, each on a connection of its own. */
function hearing(id: string, speakers: readonly Speaker[]): readonly Leg[] {
  return speakers
    .filter((speaker) => speaker.id !== id)
    .map((speaker) => ({
      id: `${id}:from-${speaker.id}`,
      sends: [],
      receives: speaker.sends,
      from: { participant: speaker.id },
    }));
}

/** One webinar with `size` viewers, who only receive. Presenters and those with a hand up come on top of the size. */
export function webinar(panel: Panel): Scenario {
  const presenters = several(panel.presenters, 'p', audioAndVideo);
  const hands = several(panel.handsUp, 'h', ['audio']);
  const speakers = [...presenters, ...hands];
  const speaking = ({ id, sends }: Speaker): Pick<Participant, 'id' | 'session' | 'legs'> => ({
    id,
    session,
    legs: [{ id, sends, receives: [] }, ...hearing(id, speakers)],
  });
  const seated: readonly Participant[] = [
    ...presenters.map((one) => ({ ...speaking(one), role: 'presenter', presents: true as const })),
    ...hands.map((one) => ({ ...speaking(one), role: 'hand-up' })),
  ];
  const withViewers = (count: number): readonly Session[] => {
    const viewers = Array.from({ length: count }, (_, index): Participant => {
      const id = `${session}v${index + 1}`;
      return { id, session, role: 'viewer', legs: hearing(id, speakers) };
    });
    return [{ id: session, shape: 'forward', participants: [...seated, ...viewers] }];
  };
  return {
    name: 'webinar',
    unit: { one: 'viewer', many: 'viewers', countsParticipants: true },
    ofPanel: webinar,
    summary: `a webinar: ${panel.presenters} present, ${panel.handsUp} with a hand up speak, viewers receive all of them (those who send are not counted)`,
    baselineSize: 1,
    sessions: withViewers,
  };
}
