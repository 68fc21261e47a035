import { type CrowdState, crowdCount, sendersBeside } from '../model/crowd.js';
import {
  eachSession,
  type Leg,
  type LegSource,
  type MediaKind,
  type MediaSource,
  type Scenario,
  type Session,
} from '../model/scenario.js';

/** What of each participant, by its id, is not there. */
type Has = (participant: string) => boolean;

/**
 * The same scenario with cameras that are off and people who are mute. They are the last senders of each session, so
 * that a session alone is like every other.
 */
export function withStates(scenario: Scenario, states: CrowdState = {}): Scenario {
  const { audioOnly, cameraOff, muted } = states;
  if (audioOnly === undefined && cameraOff === undefined && muted === undefined) return scenario;
  const off = lastOf('video', cameraOff);
  const mute = lastOf('audio', muted);
  const changed = eachSession(scenario, (session) => {
    const [isDark, isMute] = [audioOnly ? () => true : off(session), mute(session)];
    const participants = session.participants.map((one) => ({
      ...one,
      legs: one.legs
        .map((leg) => withSilence(withoutPictures(leg, one.id, isDark), one.id, isMute))
        .filter(({ sends, receives }) => sends.length + receives.length > 0),
    }));
    return { ...session, participants };
  });
  const { coming } = changed;
  const meets = coming?.meets?.filter((kind) => audioOnly === undefined || kind !== 'video');
  return {
    ...changed,
    ...(coming && meets ? { coming: { ...coming, meets } } : {}),
    summary: `${scenario.summary}${inWords(scenario, states)}`,
  };
}

const lastOf =
  (kind: MediaKind, share = 0) =>
  (session: Session): Has => {
    const senders = sendersBeside(session, kind);
    const ids = new Set(senders.slice(senders.length - crowdCount(share, senders.length)).map(({ id }) => id));
    return (participant) => ids.has(participant);
  };

function withoutPictures(leg: Leg, own: string, isDark: Has): Leg {
  const { from, layers: _, ...others } = leg;
  const isSound = (kind: MediaKind): boolean => kind === 'audio';
  const sends = isDark(own) ? leg.sends.filter(isSound) : leg.sends;
  if (from === undefined || (!('map' in from) && 'mix' in from)) return { ...leg, sends };
  if (!('map' in from)) {
    const receives = isDark(from.participant) ? leg.receives.filter(isSound) : leg.receives;
    return { ...others, sends, receives, ...(receives.length > 0 ? { from } : {}) };
  }
  const sources = from
    .map((source) => (isDark(source.participant) ? { ...source, kinds: source.kinds.filter(isSound) } : source))
    .filter(({ kinds }) => kinds.length > 0);
  const receives = leg.receives.filter((kind) => sources.some(({ kinds }) => kinds.includes(kind)));
  return { ...others, sends, receives, ...(sources.length > 0 ? { from: sources } : {}) };
}

function withSilence(leg: Leg, own: string, isMute: Has): Leg {
  const marked = <Source extends MediaSource | LegSource>(source: Source): Source =>
    'participant' in source && isMute(source.participant) ? { ...source, muted: true } : source;
  const { from } = leg;
  return {
    ...leg,
    ...(leg.sends.includes('audio') && isMute(own) ? { muted: true as const } : {}),
    ...(from ? { from: 'map' in from ? from.map(marked) : marked(from) } : {}),
  };
}

/** "; 2 of 4 have the camera off, 3 of 4 are mute". */
function inWords({ sessions, baselineSize }: Scenario, { audioOnly, cameraOff, muted }: CrowdState): string {
  const [session] = sessions(baselineSize);
  if (!session) return '';
  const part = (kind: MediaKind, share: number): string => {
    const all = sendersBeside(session, kind).length;
    return `${crowdCount(share, all)} of ${all}`;
  };
  const texts = [
    ...(audioOnly ? ['nobody sends pictures'] : []),
    ...(cameraOff === undefined ? [] : [`${part('video', cameraOff)} have the camera off`]),
    ...(muted === undefined ? [] : [`${part('audio', muted)} are mute`]),
  ];
  return `; ${texts.join(', ')}`;
}
