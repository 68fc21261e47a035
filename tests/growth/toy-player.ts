import { wallClock } from '../../cli/wiring/wall-clock.js';
import type { StartFleet } from '../../probes/fleet.js';
import { chance } from '../../simulation/seeded.js';
import { simulatedFleets } from '../../simulation/simulated-fleet.js';

/** A whole kind of player, which has no media: whatever the server does, it sees a call that is well. */
export const toyPlayers = (): StartFleet =>
  simulatedFleets({
    clock: wallClock,
    conditionsOf: () => ({ arrivingShare: 1, lossShare: 0, frozenMs: 0, rttMs: 20, jitterMs: 2 }),
    chance,
  });
