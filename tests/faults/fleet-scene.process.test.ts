import { expect, test } from '@playwright/test';
import { long } from '../effort.js';
import { hasNats } from '../real-nats.js';
import { record } from './fault-table.js';
import { type FleetCase, type FleetFault, fleetSceneFaults } from './fleet-rows.js';
import { FleetScene, midway } from './fleet-scene.js';

/** `npm run faults` takes all of them; the suites those that are no `long` ones. */
const all = process.env.LOADLINE_ALL_FAULTS === '1';

test.describe('whatever befalls hosts, bus or conductor, the record says so by name', () => {
  for (const fault of fleetSceneFaults) {
    for (const one of fault.cases) {
      test(one.name === '' ? fault.title : `${fault.title}: ${one.name}`, one.slow ? long : {}, async () => {
        test.skip(!hasNats, 'nats-server is not installed (apt-get install nats-server)');
        test.skip(one.long === true && !all, 'part of `npm run faults` alone');
        test.setTimeout(120_000);
        await befall(fault, one);
      });
    }
  }
});

async function befall(fault: FleetFault, one: FleetCase): Promise<void> {
  record(fault, one.name, undefined);
  const scene = await FleetScene.open(one.lease ?? 'a-twentieth');
  try {
    let befallen: Promise<unknown> = Promise.resolve('never reached the window');
    const ended = await scene.run(one.trials ?? 2, (phase, trial) => {
      if (phase === 'measure' && trial === 1) befallen = midway().then(() => one.inject(scene));
    });
    expect(await befallen).not.toBe('never reached the window');
    const said = await one.said(ended, scene);
    record(fault, one.name, said);
  } finally {
    await scene.close();
  }
}
