import type { Command } from 'commander';
import { readExpression } from '../../analysis/judge/thresholds/expression.js';
import { type ArrivalsPlan, arrivalProcesses, stays } from '../../model/arrivals.js';
import type { Load } from '../../model/load.js';
import type { Players, PlayersOf } from '../../model/players.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { readTogether } from './together.js';
import { usageError } from './usage-error.js';
import { count, duration, type WrittenFlags, word } from './written.js';

/** What a size counts where it is no number of sessions, as words. */
export interface ArrivalFlags {
  readonly by?: string;
  readonly hold?: string;
  readonly stay?: string;
  readonly arrival?: string;
  readonly per?: string;
  readonly arrivalSeed?: string;
  readonly legs?: string;
  readonly storm?: string;
  readonly reconnect?: boolean;
}

const mostSeed = 1_000_000;
const mostStorm = 100_000;

export function addArrivalFlags(command: Command): Command {
  return command
    .option(
      '--by <what>',
      'what a size counts: sessions there at a time, or arrivals: sessions begun per second',
      'sessions',
    )
    .option('--hold <time>', 'with --by arrivals: how long a session stays (default: 20s)')
    .option('--stay <kind>', 'with --by arrivals: constant, or exponential with --hold as its mean (default: constant)')
    .option('--arrival <kind>', 'with --by arrivals: constant, or poisson (default: constant)')
    .option('--per <time>', 'with --by arrivals: a size counts sessions begun in so long (default: 1s)')
    .option('--arrival-seed <n>', 'with --by arrivals: of what is left to chance (default: 1)')
    .option('--storm <n>', 'with --by arrivals: so many more come at once, a third into the window')
    .option('--reconnect', 'with --by arrivals: all connections are lost then, and as many participants come back')
    .option(
      '--legs <which>',
      'with --media none: join all connections of a participant, or sending ones alone (default: all that the server can)',
    );
}

/** How the values of these flags are written. */
export const arrivalValues = {
  by: word(['sessions', 'arrivals'], 'must be sessions or arrivals'),
  hold: duration,
  stay: word(stays, 'must be constant or exponential'),
  arrival: word(arrivalProcesses, 'must be constant or poisson'),
  per: duration,
  arrivalSeed: count({ from: 0, to: mostSeed }),
  legs: word(['all', 'sending'], 'must be all or sending'),
  storm: count({ to: mostStorm }),
} as const satisfies WrittenFlags;

/** Throws E_USAGE, E_DURATION; for flags that say nothing where sessions are counted, too. */
export function readArrivalFlags(flags: ArrivalFlags): Load {
  const {
    by = 'sessions',
    hold = '20s',
    stay = 'constant',
    arrival = 'constant',
    per = '1s',
    arrivalSeed = '1',
  } = flags;
  if (arrivalValues.by.read(by, '--by') === 'sessions') {
    assertNoneOfArrivals(flags);
    return { by: 'sessions' };
  }
  const read = readTogether({
    process: () => arrivalValues.arrival.read(arrival, '--arrival'),
    holdMs: () => arrivalValues.hold.read(hold, '--hold'),
    stay: () => arrivalValues.stay.read(stay, '--stay'),
    perMs: () => arrivalValues.per.read(per, '--per'),
    seed: () => arrivalValues.arrivalSeed.read(arrivalSeed, '--arrival-seed'),
    storm: () => readStorm(flags),
  });
  const { storm: atOnce, ...evenly } = read;
  return { by: 'arrivals', ...evenly, ...atOnce };
}

/** At most one of the two. */
function readStorm({ storm, reconnect }: ArrivalFlags): Pick<ArrivalsPlan, 'storm' | 'reconnect'> {
  if (storm === undefined) return reconnect ? { reconnect: true } : {};
  if (reconnect) {
    const why = 'those who come back are a storm, as many as are there';
    throw usageError(
      '--storm and --reconnect cannot be given together.',
      ['--storm', '--reconnect'],
      'leave one out',
      why,
    );
  }
  return { storm: arrivalValues.storm.read(storm, '--storm') };
}

function assertNoneOfArrivals({ hold, stay, arrival, per, arrivalSeed, storm, reconnect }: ArrivalFlags): void {
  const times = { '--hold': hold, '--stay': stay, '--arrival': arrival, '--per': per, '--arrival-seed': arrivalSeed };
  const named = { ...times, '--storm': storm, '--reconnect': reconnect };
  const given = Object.entries(named).flatMap(([flag, value]) => (value === undefined ? [] : flag));
  if (given.length === 0) return;
  throw usageError(
    `${given.join(', ')} without --by arrivals changes nothing.`,
    [...given, '--by'],
    'add --by arrivals, or leave it out',
  );
}

/** Players who join the connections that `--legs` and the kind of server say. Throws E_USAGE. */
export function withLegs<Some extends Players>(
  players: Some,
  { legs: text }: ArrivalFlags,
  { abilities, inWords }: ServerKind,
): Some | PlayersOf<'signalling'> {
  const asked = text === undefined ? undefined : arrivalValues.legs.read(text, '--legs');
  if (players.kind !== 'signalling') {
    if (asked === undefined) return players;
    throw usageError(
      '--legs without --media none changes nothing.',
      ['--legs', '--media'],
      'add --media none, or leave it out',
    );
  }
  if (asked !== 'all' || abilities.receivesNeedMedia !== true) {
    return { ...players, legs: asked ?? (abilities.receivesNeedMedia ? 'sending' : 'all') };
  }
  const why = 'it gives nothing to who receives as long as nobody sends';
  throw usageError(`--legs all is not for ${inWords}.`, ['--legs', '--server'], 'leave --legs out', why);
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
