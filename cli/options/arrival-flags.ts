import { readExpression } from '../../analysis/judge/thresholds/expression.js';
import { arrivalProcesses, stays } from '../../model/arrivals.js';
import type { Load } from '../../model/load.js';
import type { Players, PlayersOf } from '../../model/players.js';
import { oneOut, type Retyping } from '../../model/remedy.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { type Flags, goingWith, readFlags, type ValuesOf } from './flag.js';
import { usageError } from './usage-error.js';
import { count, duration, word } from './written.js';

const mostSeed = 1_000_000;
const mostStorm = 100_000;

export const byRate = '--by arrivals';
/** Participants who signal and send nothing. */
const alone = (): Retyping => ({ give: { '--by': 'arrivals', '--media': 'none' } });

/** What a size counts where it is no number of sessions. */
export const arrivalFlags = {
  by: {
    takes: 'what',
    about: 'what a size counts: sessions there at a time, or arrivals: sessions begun per second',
    value: word(['sessions', 'arrivals']),
    usual: 'sessions',
  },
  ...goingWith(byRate, {
    hold: { about: 'how long a session stays (default: 20s)', value: duration },
    stay: {
      takes: 'kind',
      about: 'constant, or exponential with --hold as its mean (default: constant)',
      value: word(stays),
    },
    arrival: { takes: 'kind', about: 'constant, or poisson (default: constant)', value: word(arrivalProcesses) },
    per: { about: 'a size counts sessions begun in so long (default: 1s)', value: duration },
    arrivalSeed: { about: 'of what is left to chance (default: 1)', value: count({ from: 0, to: mostSeed }) },
    storm: {
      about: 'so many more come at once, a third into the window',
      value: count({ to: mostStorm }),
      inFull: alone,
    },
    reconnect: {
      about: 'all connections are lost then, and as many participants come back',
      inFull: alone,
    },
  }),
  legs: {
    takes: 'which',
    about: 'join all connections of a participant, or sending ones alone (default: all that the server can)',
    value: word(['all', 'sending']),
    with: '--media none',
    inFull: alone,
  },
} as const satisfies Flags;

/** Throws E_USAGE. */
export function loadOf(asked: ValuesOf<typeof arrivalFlags>): Load {
  if (asked.by === 'sessions') return { by: 'sessions' };
  const { hold = 20_000, stay = 'constant', arrival = 'constant', per = 1000, arrivalSeed = 1 } = asked;
  const { storm, reconnect } = asked;
  if (storm !== undefined && reconnect) {
    const why = 'those who come back are a storm, as many as are there';
    const flags = ['--storm', '--reconnect'];
    throw usageError('--storm and --reconnect cannot be given together.', flags, oneOut('--reconnect', '--storm'), why);
  }
  const atOnce = storm !== undefined ? { storm } : reconnect ? { reconnect } : {};
  return { by: 'arrivals', process: arrival, holdMs: hold, stay, perMs: per, seed: arrivalSeed, ...atOnce };
}

/** Where nothing else is said of it. */
export const usualRate = (): Load => loadOf(readFlags(arrivalFlags, { by: 'arrivals' }));

/** Players who join the connections that `--legs` and the kind of server say. Throws E_USAGE. */
export function withLegs<Some extends Players>(
  players: Some,
  asked: ValuesOf<typeof arrivalFlags>['legs'],
  { abilities, inWords }: ServerKind,
): Some | PlayersOf<'signalling'> {
  if (players.kind !== 'signalling') return players;
  if (asked !== 'all' || abilities.receivesNeedMedia !== true) {
    return { ...players, legs: asked ?? (abilities.receivesNeedMedia ? 'sending' : 'all') };
  }
  const why = 'it gives nothing to who receives as long as nobody sends';
  throw usageError(`--legs all is not for ${inWords}.`, ['--legs', '--server'], { leave: ['--legs'] }, why);
}

/** One that cannot be read is told where limits are read. */
export function isAboutMedia(text: string): boolean {
  const read = readExpression(text);
  if (!read.ok) return false;
  const { expression } = read;
  if (expression.of === 'join')
    return expression.time === 'firstFrame' || (expression.statistic !== 'max' && expression.time === 'time');
  return expression.of !== 'join-success';
}
