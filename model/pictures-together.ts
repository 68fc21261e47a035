import { withOneOf } from './asked-together.js';
import { receivesCamera } from './expected-streams.js';
import { hasBrowsers } from './players.js';
import { participantsOf, sendPictures } from './scenario.js';

/** Pictures are looked at where somebody is shown one. */
export const nobodyShown = withOneOf(['see'], ({ players, laidOut, forwarding, given, scenario: { name } }) => {
  const legs = participantsOf(laidOut.sessions(laidOut.baselineSize)).flatMap((one) => one.legs);
  if (hasBrowsers(players) && !given.has('audio-only') && legs.some(receivesCamera)) return undefined;
  const blamed = !hasBrowsers(players) ? '--media' : given.has('audio-only') ? '--audio-only' : undefined;
  const other = blamed === '--media' ? '--media none' : (blamed ?? name);
  return {
    text: `--see is not for ${other}.`,
    where: ['--see', other],
    why: 'nobody there is shown what a camera has sent: a mixed picture is made anew',
    todo: [{ leave: ['--see'] }, blamed ? { leave: [blamed] } : { measure: forwarding }],
  };
});

/** What is said of pictures where nobody sends any. */
export const nothingToShow = withOneOf(
  ['codec', 'resolution', 'video-kbps', 'draw-marks'],
  ({ given, laidOut, players, scenario }) => {
    const isSound = given.has('audio-only') || !sendPictures(participantsOf(laidOut.sessions(laidOut.baselineSize)));
    if (players.kind === 'visiting' || !isSound) return undefined;
    const other = given.has('audio-only') ? '--audio-only' : scenario.name;
    const flags = (['codec', 'resolution', 'video-kbps', 'draw-marks'] as const).filter((flag) => given.has(flag));
    const named = flags.map((flag) => `--${flag}`);
    return {
      text: `${named.join(', ')} ${named.length === 1 ? 'is' : 'are'} not for ${other}.`,
      where: [...named, other],
      why: 'nobody there sends pictures',
      todo: { leave: named },
    };
  },
);
