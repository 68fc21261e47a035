import { groupedBy } from './grouped.js';
import { nativeOf } from './native-probes.js';
import type { Players } from './players.js';
import type { Participant } from './scenario.js';

/** By which player each participant is played, by the name that hosts know it by. Who is not named has a browser. */
export type Cast = ReadonlyMap<string, string>;

/** The player of whoever is in no cast. */
export const browsers = 'browsers';

interface CastDraw {
  /** The same seed draws the same browsers among native probes. */
  readonly seed: number;
  /** On which host each is; absent: all are on one. */
  readonly hostOf?: ReadonlyMap<string, string>;
}

/** Decided once for all of a trial: among native probes, each host has browsers of each role and network. */
export function castOf(players: Players, participants: readonly Participant[], draw: CastDraw): Cast {
  switch (players.kind) {
    case 'native':
      return castAs('native', nativeOf(participants, { sentinels: players.sentinels, ...draw }));
    case 'full':
    case 'encoded':
    case 'signalling':
    case 'visiting':
      return new Map();
  }
}

/** These are played so, and all others by browsers. */
export function castAs(player: string, probes: Iterable<string>): Cast {
  return new Map([...probes].map((probe) => [probe, player]));
}

/** Whom each player has, browsers with those who are in no cast. */
export function membersOf(
  cast: Cast,
  participants: readonly Participant[],
): ReadonlyMap<string, readonly Participant[]> {
  return groupedBy(participants, ({ id }) => cast.get(id) ?? browsers);
}
