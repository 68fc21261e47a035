import type { Fault, FaultRow } from './fault.js';
import { fleetFaults } from './fleet-faults.js';
import { fleetSceneFaults } from './fleet-rows.js';
import { hostFaults } from './host-faults.js';
import { janusFaults } from './janus-rows.js';
import { killedSimulation } from './killed-simulation.js';
import { probeFaults } from './probe-faults.js';
import { serverFaults } from './server-faults.js';
import { stopFaults } from './stop-faults.js';
import { whipFaults } from './whip-faults.js';

/** Those of the campaign with real media. */
export const faults: readonly Fault[] = [
  ...probeFaults,
  ...serverFaults,
  ...whipFaults,
  ...hostFaults,
  ...fleetFaults,
  ...stopFaults,
];

/** All rows of the table, in its order. */
export const faultRows: readonly FaultRow[] = [...faults, ...fleetSceneFaults, ...janusFaults, killedSimulation];
