import { groupedBy } from './grouped.js';
import { judgedBySentinels, type Players } from './players.js';
import { probeKinds } from './probe-kinds.js';
import type { Participant } from './scenario.js';
import { withoutBrowser } from './sentinels.js';

/** By which player each participant is played, by the name that hosts know it by. Who is not named has a browser. */
export type Cast = ReadonlyMap<string, string>;

/** The player of whoever is in no cast. */
export const browsers = 'browsers';

interface CastDraw {
  /** The same seed draws the same sentinels. */
  readonly seed: number;
  /** On which host each is; absent: all are on one. */
  readonly hostOf?: ReadonlyMap<string, string>;
}

/** Decided once for all of a trial: among probes without a browser, each host has some of each role and network. */
export function castOf(players: Players, participants: readonly Participant[], draw: CastDraw): Cast {
  if (judgedBySentinels(players)) {
    return castAs(
      probeKinds[players.kind].player,
      withoutBrowser(participants, { sentinels: players.sentinels, ...draw }),
    );
  }
  switch (players.kind) {
    case 'signalling':
      return castAs(
        players.kind,
        participants.flatMap(({ id, sentinel }) => (sentinel ? [] : id)),
      );
    case 'visiting':
      return castAs(
        players.kind,
        participants.map(({ id }) => id),
      );
    case 'full':
    case 'encoded':
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
