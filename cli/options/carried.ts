import type { VideoCodec } from '../../model/codec.js';
import { LoadlineError } from '../../model/errors.js';
import { listedWith } from '../../model/listed.js';
import type { Remedy, Way } from '../../model/remedy.js';
import {
  participantsOf,
  type Scenario,
  type SessionShape,
  sendPictures,
  streamsAmongSeveral,
} from '../../model/scenario.js';
import { type ServerAbilities, shapeWords } from '../../model/server-abilities.js';
import { scenarios } from '../../scenarios/index.js';
import { namingOne, type ServerKind } from '../../server-setup/server-kind.js';

/** What a run needs a server to be able to do, beside holding its sessions. */
export interface AskedAbilities {
  readonly scenario: Scenario;
  readonly records: boolean;
  /** By a flag, and not because the scenario does. */
  readonly asksToRecord?: boolean;
  readonly relayed: boolean;
  /** Absent: nobody sends pictures. */
  readonly codec?: VideoCodec | undefined;
}

/** Throws E_USAGE for what servers of this kind cannot do, before one is started; `kinds` are those to name instead. */
export function assertCarries(kind: ServerKind, asked: AskedAbilities, kinds: readonly ServerKind[]): void {
  const { scenario, records, asksToRecord, relayed } = asked;
  const codec = hasPictures(scenario) ? asked.codec : undefined;
  const { codecs } = kind.abilities;
  for (const shape of shapesOf(scenario)) {
    if (!kind.abilities.shapes.includes(shape)) {
      const others = able(kinds, ({ shapes }) => shapes.includes(shape));
      throw cannot(
        kind,
        `does not ${shapeWords[shape]}`,
        scenario.name,
        shape === 'own-page' ? { leave: ['--server'] } : [...carriedInstead(kind, scenario), namingOne(others)],
      );
    }
    if (shape === 'mix' && codec && !codecs.mixes.includes(codec)) {
      const others = able(kinds, (abilities) => abilities.codecs.mixes.includes(codec));
      const todo = [{ leave: ['--codec'] }, ...unmixed(scenario), namingOne(others)];
      throw cannot(kind, `mixes ${codecs.mixes.join(', ')}, not ${codec}`, '--codec', todo);
    }
    if (shape === 'forward' && codec && !codecs.forwards.includes(codec)) {
      const todo = codecs.forwards.map((one) => ({ give: { '--codec': one } }));
      throw cannot(kind, `forwards ${listedWith('or', codecs.forwards)}, not ${codec}`, '--codec', todo);
    }
  }
  if (!kind.abilities.severalStreams && hasSeveralStreams(scenario)) {
    const others = able(kinds, ({ severalStreams }) => severalStreams);
    const text = 'carries one stream of a kind on a connection, not several';
    throw cannot(kind, text, scenario.name, [...carriedInstead(kind, scenario), namingOne(others)]);
  }
  if (records && !kind.abilities.records) throw cannot(kind, 'does not record', '--record', notRecorded);
  if (records && !hasPictures(scenario))
    throw cannot(kind, 'does not record rooms without pictures', '--record', { leave: ['--record'] });
  if (records && codec && !codecs.records.includes(codec)) {
    const text = `records ${codecs.records.join(', ')}, not ${codec}`;
    const without = asksToRecord ? notRecorded : { give: notRecorded.give };
    throw cannot(kind, text, '--codec, --record', [without, { leave: ['--codec'] }]);
  }
  if (relayed && !kind.abilities.turn) {
    const text = 'is not reached through a TURN server';
    throw cannot(kind, text, '--turn, --turn-server', { leave: ['--turn', '--turn-server'] });
  }
}

/** What it can be asked for instead, whoever plays it: the nearest first, of the same unit alone if there are any. */
function carriedInstead({ abilities: { shapes, severalStreams } }: ServerKind, asked: Scenario): readonly Way[] {
  const carried = scenarios.filter(
    (one) =>
      shapesOf(one).every((shape) => shapes.includes(shape)) &&
      (severalStreams || !hasSeveralStreams(one)) &&
      participantsOf(one.sessions(one.baselineSize)).every(({ turns }) => turns === undefined),
  );
  return measuring(nearestFirst(carried, asked));
}

/** Those of the same unit alone where there are any, and first those which have pictures as it has. */
export function nearestFirst(among: readonly Scenario[], asked: Scenario): readonly Scenario[] {
  const alike = among.filter(({ unit }) => unit.one === asked.unit.one);
  const apart = (one: Scenario) => Number(hasPictures(one) !== hasPictures(asked));
  return (alike.length > 0 ? alike : among).toSorted((one, other) => apart(one) - apart(other));
}

/** Scenarios of the same unit in which nothing is mixed. */
function unmixed({ unit }: Scenario): readonly Way[] {
  const alike = scenarios.filter(
    (one) => one.unit.one === unit.one && shapesOf(one).every((shape) => shape === 'forward'),
  );
  return measuring(alike);
}

const measuring = (some: readonly Scenario[]) => some.map(({ name }) => ({ measure: name }));
const notRecorded = { give: { '--no-record': true }, leave: ['--record'] } as const;

export function shapesOf(scenario: Scenario): readonly SessionShape[] {
  return [...new Set(scenario.sessions(scenario.baselineSize).map(({ shape }) => shape))];
}

const hasPictures = (scenario: Scenario): boolean =>
  sendPictures(participantsOf(scenario.sessions(scenario.baselineSize)));

function hasSeveralStreams(scenario: Scenario): boolean {
  const participants = participantsOf(scenario.sessions(scenario.baselineSize));
  return participants.some(({ legs }) => legs.some((leg) => streamsAmongSeveral(leg).length > 0));
}

function able(kinds: readonly ServerKind[], can: (abilities: ServerAbilities) => boolean): readonly ServerKind[] {
  return kinds.filter(({ abilities }) => can(abilities));
}

function cannot({ inWords }: ServerKind, what: string, where: string, todo: Remedy): LoadlineError {
  const who = `${inWords.charAt(0).toUpperCase()}${inWords.slice(1)}`;
  return new LoadlineError('E_USAGE', `${who} ${what}.`, { where: `${where}, --server`, todo });
}
