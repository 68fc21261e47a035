import type { VideoCodec } from '../../model/codec.js';
import { LoadlineError } from '../../model/errors.js';
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
  readonly relayed: boolean;
  readonly codec: VideoCodec;
}

/** Throws E_USAGE for what servers of this kind cannot do, before one is started; `kinds` are those to name instead. */
export function assertCarries(kind: ServerKind, asked: AskedAbilities, kinds: readonly ServerKind[]): void {
  const { scenario, records, relayed, codec } = asked;
  const { codecs } = kind.abilities;
  for (const shape of shapesOf(scenario)) {
    if (!kind.abilities.shapes.includes(shape)) {
      const others = able(kinds, ({ shapes }) => shapes.includes(shape));
      throw cannot(
        kind,
        `does not ${shapeWords[shape]}`,
        scenario.name,
        `choose another scenario (${carriedBy(kind)}), or ${namingOne(others)}`,
      );
    }
    if (shape === 'mix' && !codecs.mixes.includes(codec)) {
      const others = able(kinds, (abilities) => abilities.codecs.mixes.includes(codec));
      const todo = ['leave --codec out', ...unmixed(scenario), `or ${namingOne(others)}`].join(', ');
      throw cannot(kind, `mixes ${codecs.mixes.join(', ')}, not ${codec}`, '--codec', todo);
    }
    if (shape === 'forward' && !codecs.forwards.includes(codec))
      throw cannot(kind, `forwards ${codecs.forwards.join(', ')}, not ${codec}`, '--codec', 'leave --codec out');
  }
  if (!kind.abilities.severalStreams && hasSeveralStreams(scenario)) {
    const others = able(kinds, ({ severalStreams }) => severalStreams);
    const text = 'carries one stream of a kind on a connection, not several';
    throw cannot(kind, text, scenario.name, `choose another scenario, or ${namingOne(others)}`);
  }
  if (records && !kind.abilities.records)
    throw cannot(kind, 'does not record', '--record', 'leave --record out, or write --no-record in its place');
  if (records && !hasPictures(scenario))
    throw cannot(kind, 'does not record rooms without pictures', '--record', 'leave --record out');
  if (records && !codecs.records.includes(codec)) {
    const text = `records ${codecs.records.join(', ')}, not ${codec}`;
    throw cannot(kind, text, '--codec, --record', 'write --no-record, not --record, or leave --codec out');
  }
  if (relayed && !kind.abilities.turn) {
    const text = 'is not reached through a TURN server';
    throw cannot(kind, text, '--turn, --turn-server', 'leave --turn and --turn-server out');
  }
}

/** "one-to-one, broadcast": what it can be asked for instead. */
function carriedBy({ abilities }: ServerKind): string {
  const carried = scenarios.filter((one) => shapesOf(one).every((shape) => abilities.shapes.includes(shape)));
  return carried.map(({ name }) => name).join(', ');
}

/** Scenarios of the same unit in which nothing is mixed. */
function unmixed({ unit }: Scenario): readonly string[] {
  const alike = scenarios.filter(
    (one) => one.unit.one === unit.one && shapesOf(one).every((shape) => shape === 'forward'),
  );
  return alike.map(({ name }) => `measure ${name}`);
}

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

function cannot({ inWords }: ServerKind, what: string, where: string, todo: string): LoadlineError {
  const who = `${inWords.charAt(0).toUpperCase()}${inWords.slice(1)}`;
  return new LoadlineError('E_USAGE', `${who} ${what}.`, { where: `${where}, --server`, todo });
}
