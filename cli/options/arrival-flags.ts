import type { Command } from 'commander';
import { readExpression } from '../../analysis/judge/thresholds/expression.js';
import { type ArrivalsPlan, arrivalProcesses, stays } from '../../model/arrivals.js';
import type { Load } from '../../model/load.js';
import type { Players, PlayersOf } from '../../model/players.js';
import { isSending, type Scenario } from '../../model/scenario.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { assertBrowsersComeAndGo, type BesideBrowsers } from './arriving-browsers.js';
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

/** What else was asked, as far as it may not go with arrivals, or with participants that send no media. */
export interface BesideArrivals extends Omit<BesideBrowsers, 'arrivals'> {
  readonly load: Load;
  readonly kind: ServerKind;
  /** `--legs` was given. */
  readonly asksLegs: boolean;
  readonly expressions: readonly string[];
}

/** Throws E_USAGE for what is not there yet, or would say nothing; each in one sentence. */
export function assertArrivalsFit(asked: BesideArrivals): void {
  const { load, players, kind, scenario, asksLegs, aboutMedia, expressions } = asked;
  if (load.by === 'sessions') {
    if (players.kind !== 'signalling') return;
    const why = 'participants without media are judged by how they join, and not by what they receive';
    throw usageError('--media none needs --by arrivals.', ['--media', '--by'], 'add --by arrivals', why);
  }
  const { coming } = scenario;
  if (!coming) {
    const why = 'nobody comes and goes in its sessions';
    throw usageError(`--by arrivals is not for ${scenario.name}.`, ['--by', scenario.name], 'measure one-to-one', why);
  }
  if (players.kind !== 'signalling') {
    assertBrowsersComeAndGo({ ...asked, arrivals: load });
    return;
  }
  if (kind.abilities.signalsAlone !== true) {
    const text = `--media none is not for ${kind.inWords}.`;
    throw usageError(
      text,
      ['--media', '--server'],
      'measure a server whose participants offer and need no media of others',
    );
  }
  if (players.legs === 'sending' && !comersSend(scenario)) {
    const isOnSome = kind.abilities.receivesNeedMedia === 'on-some';
    const why = asksLegs
      ? 'a viewer sends nothing'
      : `${kind.inWords} ${isOnSome ? 'may give' : 'gives'} nothing to who receives as long as nobody sends`;
    const text = `Without media nobody comes to ${scenario.name}: ${coming.unit.many} have no connection to join.`;
    const others = isOnSome ? ', or add --legs all if this one answers them before media comes' : '';
    throw usageError(text, ['--media', '--legs', scenario.name], `measure one-to-one or sfu-group${others}`, why);
  }
  if (aboutMedia.length > 0) {
    const text = `${aboutMedia.join(', ')} cannot be given with --media none.`;
    throw usageError(text, ['--media', ...aboutMedia], 'leave it out', 'nothing is sent that it would change');
  }
  const others = players.sentinels > 0 ? [] : expressions.filter((text) => isAboutMedia(text));
  if (others.length > 0) {
    const todo = 'limit join.answer and join.success, or add --sentinels 4 to measure media beside them';
    throw usageError(`--media none measures nothing of "${others[0]}".`, ['--threshold', '--media'], todo);
  }
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

function comersSend({ coming }: Scenario): boolean {
  const comers =
    coming?.sessions(1, 1).flatMap(({ participants }) => participants.filter((one) => !one.presents)) ?? [];
  return comers.every(isSending);
}

/** That strategy steers by how near each second came to the limits on media. Throws E_USAGE. */
export function assertNoRampOfArrivals({ by, strategy }: { readonly by?: string; readonly strategy?: string }): void {
  if (by !== 'arrivals' || strategy !== 'ramp') return;
  const why = 'it steers by how near each second of media came to its limits';
  throw usageError('--strategy ramp is not for --by arrivals.', ['--strategy', '--by'], 'leave --strategy out', why);
}

/** One that cannot be read is told where limits are read. */
function isAboutMedia(text: string): boolean {
  const read = readExpression(text);
  if (!read.ok) return false;
  const { expression } = read;
  if (expression.of === 'join')
    return expression.time === 'firstFrame' || (expression.statistic !== 'max' && expression.time === 'time');
  return expression.of !== 'join-success';
}
