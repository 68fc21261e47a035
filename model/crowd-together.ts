import { type AskedTogether, type Rule, type TogetherRefusal, withOneOf } from './asked-together.js';
import { crowdCount, sendersBeside, speakersIn } from './crowd.js';
import { comeAndGo } from './load.js';
import { oneOut, type Remedy } from './remedy.js';
import { type MediaKind, type Session, sendPictures } from './scenario.js';

/** Cameras that are off and people who are mute: the first that refuses is told. */
export const crowdRules: readonly Rule[] = [
  withOneOf(['audio-only'], ({ scenario, players }) => {
    if (players.kind === 'signalling') return signalsAlone('audio-only');
    const sessions = scenario.sessions(scenario.baselineSize);
    if (!sessions.some(({ participants }) => sendPictures(participants))) {
      return notOf(scenario.name, 'audio-only', 'nobody there sends pictures');
    }
    return sessions.some(({ shape }) => shape === 'mix')
      ? notOf(scenario.name, 'audio-only', 'its server mixes pictures', [
          { leave: ['--audio-only'] },
          { measure: 'audio-room', leave: ['--audio-only'] },
        ])
      : undefined;
  }),
  withOneOf(['camera-off'], (asked) => {
    if (asked.given.has('audio-only')) {
      return {
        text: '--camera-off and --audio-only say the same thing twice.',
        where: ['--camera-off', '--audio-only'],
        todo: oneOut('--camera-off', '--audio-only'),
      };
    }
    return withoutSome(asked, 'camera-off', 'video', asked.crowd.cameraOff);
  }),
  withOneOf(['muted'], (asked) => withoutSome(asked, 'muted', 'audio', asked.crowd.muted)),
  withOneOf(['speech'], ({ scenario, laidOut, players, load, crowd: { muted = 0 } }) => {
    if (players.kind === 'signalling') return signalsAlone('speech');
    if (membersCome({ load, scenario })) return notWhereMembersCome(scenario.name, 'speech');
    const speaking = (session: Session): number =>
      speakersIn(session).length - crowdCount(muted, sendersBeside(session, 'audio').length);
    return laidOut.sessions(laidOut.baselineSize).every((session) => speaking(session) >= 2)
      ? undefined
      : notOf(scenario.name, 'speech', 'a conversation is of two voices or more');
  }),
];

type CrowdFlag = 'audio-only' | 'camera-off' | 'muted' | 'speech' | 'screen';

function withoutSome(
  { scenario, laidOut, players, load }: AskedTogether,
  flag: CrowdFlag,
  kind: MediaKind,
  share = 0,
): TogetherRefusal | undefined {
  if (players.kind === 'signalling') return signalsAlone(flag);
  const [session] = laidOut.sessions(laidOut.baselineSize);
  const senders = session ? sendersBeside(session, kind).length : 0;
  if (senders === 0) {
    const what = kind === 'video' ? 'pictures' : 'sound';
    return notOf(scenario.name, flag, `nobody sends ${what} there but who presents`);
  }
  if (membersCome({ load, scenario })) return notWhereMembersCome(scenario.name, flag);
  // In a mix each member hears the others alone: with one voice, whoever has it would hear nobody.
  const needed = kind === 'audio' && session?.shape.startsWith('mix') ? 2 : 1;
  const isEnough = (among: number) => crowdCount(share, among) > 0 && crowdCount(share, among) <= among - needed;
  if (isEnough(senders)) return undefined;
  const count = crowdCount(share, senders);
  const percent = Number((100 * share).toFixed(2));
  const larger = Array.from({ length: 100 }, (_, more) => more + 1).find((more) => isEnough(senders + more));
  const isRoom = scenario.ofMembers !== undefined && session?.participants.length === senders;
  const rooms = isRoom && larger ? [{ give: { '--room-size': senders + larger } }] : [];
  const least = Math.ceil(100 / senders);
  const most = Math.floor((100 * (senders - needed)) / senders);
  return {
    text: `--${flag} ${percent}% is ${count} of the ${senders} who send ${kind === 'video' ? 'pictures' : 'sound'} in a session of ${scenario.name}.`,
    where: [`--${flag}`, scenario.name],
    why:
      count === 0
        ? 'each session is alike, and this is less than half a member'
        : `${needed === 1 ? 'one of them' : 'two of them'} must go on sending, for what arrives to be judged`,
    todo: [
      most > 0
        ? { give: { [`--${flag}`]: `${least}%` }, ...(least === most ? {} : { note: `or more, up to ${most}%` }) }
        : { leave: [`--${flag}`] },
      ...rooms,
    ],
  };
}

const signalsAlone = (flag: CrowdFlag): TogetherRefusal => ({
  text: `--${flag} is not for --media none.`,
  where: [`--${flag}`, '--media'],
  why: 'participants without media send neither pictures nor sound',
  todo: { leave: [`--${flag}`] },
});

const notOf = (
  scenario: string,
  flag: CrowdFlag,
  why: string,
  todo: Remedy = { leave: [`--${flag}`] },
): TogetherRefusal => ({
  text: `--${flag} is not for ${scenario}.`,
  where: [`--${flag}`, scenario],
  why,
  todo,
});

export const membersCome = ({ load, scenario }: Pick<AskedTogether, 'load' | 'scenario'>): boolean =>
  comeAndGo(load) && scenario.coming?.who === 'members';

export const notWhereMembersCome = (scenario: string, flag: CrowdFlag): TogetherRefusal =>
  notOf(scenario, flag, 'who comes there is not known before', { leave: ['--by'] });
