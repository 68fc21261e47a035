import { expect, test } from '@playwright/test';
import { planSchema } from '../model/plan.js';
import type { FleetOptions } from '../probes/fleet.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { serverKinds } from '../server-setup/kinds.js';
import { aPlan, aSimulatedRun } from '../tests/simulated-run.js';
import { tryOnce } from './find-limit.js';

/** What the fleets of encoded probes were asked to send on a server of these abilities. */
async function encodedOn(passesPayloads: true | undefined): Promise<readonly FleetOptions['encoded'][]> {
  const { parts } = aSimulatedRun({ capacity: 4 });
  const asked: FleetOptions['encoded'][] = [];
  const { server, startFleet } = parts;
  const wrapped = {
    ...parts,
    server: {
      ...server,
      start: async (signal: AbortSignal) => {
        const facts = await server.start(signal);
        const abilities = { ...facts.abilities, ...(passesPayloads ? { passesPayloads } : {}) };
        return { ...facts, abilities };
      },
      openSession: server.openSession.bind(server),
      reset: server.reset.bind(server),
      stop: server.stop.bind(server),
      onEvent: server.onEvent.bind(server),
    },
    startFleet: (options: FleetOptions, listener: Parameters<typeof startFleet>[1]) => {
      asked.push(options.encoded);
      return startFleet(options, listener);
    },
  };
  const plan = planSchema.parse({ ...aPlan({}, { measureMs: 6000, settleMs: 12_000 }), encoded: {} });
  await tryOnce(plan, oneToOne, 2, wrapped, new AbortController().signal);
  return asked;
}

test('the light voice goes only to a server that is known to pass payloads', async () => {
  const [light] = await encodedOn(true);
  const [ordinary] = await encodedOn(undefined);
  expect([light, ordinary]).toEqual([{ fullShare: 0, lightVoice: true }, { fullShare: 0 }]);
});

test('the embedded server and a Janus are known to pass payloads, and no other kind', () => {
  const passing = serverKinds.filter(({ abilities }) => abilities.passesPayloads);
  expect(passing.map(({ name }) => name)).toEqual(['embedded', 'janus']);
});
