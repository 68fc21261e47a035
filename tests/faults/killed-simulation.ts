import type { FaultRow } from './fault.js';

const moments = 20;

/** What tests/faults/killed-simulation.process.test.ts does. */
export const killedSimulation: FaultRow = {
  id: 'killed-simulation',
  title: 'a simulated search as a kill leaves it on the disk at random moments, then resumed to its end',
  cases: Array.from({ length: moments }, (_, nth) => ({ name: `moment ${nth + 1}` })),
};
