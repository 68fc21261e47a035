import { type CrowdState, crowdCount, sendersBeside, speakersIn } from '../model/crowd.js';
import { eachSession, type Leg, type MediaKind, type Scenario, type Session } from '../model/scenario.js';
import type { Speech } from '../model/speech.js';
import { those } from '../model/those.js';
import { eachLeg, withSources } from './each-leg.js';

/** What of each participant, by its id, is not there. */
type Has = (participant: string) => boolean;

/**
 * The same scenario with cameras that are off, people who are mute, and others who speak and pause. The former are the
 * last senders of each session, so that a session alone is like every other.
 */
export function withStates(scenario: Scenario, states: CrowdState = {}): Scenario {
  const { audioOnly, cameraOff, muted, speech } = states;
  if (Object.values({ audioOnly, cameraOff, muted, speech }).every((one) => one === undefined)) return scenario;
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
    return speech === undefined ? { ...session, participants } : speaking({ ...session, participants });
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
  const muted = (isSilent: boolean) => (isSilent ? { muted: true as const } : {});
  return {
    ...withSources(leg, ({ participant }) => muted(isMute(participant))),
    ...muted(leg.sends.includes('audio') && isMute(own)),
  };
}

/** One conversation of all in the session who are not mute. */
function speaking(session: Session): Session {
  const voices = speakersIn(session).map(({ id }) => id);
  const speechOf = (participant: string): { readonly speech?: Speech } => {
    const nth = voices.indexOf(participant);
    return nth < 0 ? {} : { speech: { conversation: session.id, voices: voices.length, nth } };
  };
  return eachLeg(session, (leg, own) => ({
    ...withSources(leg, ({ participant }) => speechOf(participant)),
    ...(leg.sends.includes('audio') ? speechOf(own) : {}),
  }));
}

/** "; 2 of 4 have the camera off, 3 of 4 are mute". */
function inWords({ sessions, baselineSize }: Scenario, { audioOnly, cameraOff, muted, speech }: CrowdState): string {
  const [session] = sessions(baselineSize);
  if (!session) return '';
  const part = (kind: MediaKind, share: number): string => {
    const all = sendersBeside(session, kind).length;
    return `${crowdCount(share, all)} of ${all}`;
  };
  const texts = those(
    audioOnly && 'nobody sends pictures',
    cameraOff !== undefined && `${part('video', cameraOff)} have the camera off`,
    muted !== undefined && `${part('audio', muted)} are mute`,
    speech !== undefined && 'people speak and pause as by ITU-T P.59',
  );
  return `; ${texts.join(', ')}`;
}
