import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import { expect, test } from '@playwright/test';
import { orderSubject } from '../../probes/hosts/subjects.js';
import { hasNats, RealNats } from '../../tests/real-nats.js';
import { soon } from '../../tests/soon.js';
import { type BusAccess, type BusSide, openBus } from './bus.js';

test.skip(!hasNats, 'nats-server is not installed (apt-get install nats-server)');

const rights = readFileSync(new URL('../../docker/nats/bus.conf', import.meta.url), 'utf8');
const variables = { LOADLINE_CONDUCTOR_PASSWORD: 'ada-pass', LOADLINE_HOST_PASSWORD: 'host-pass' };
const conductor: BusSide = { side: 'conductor' };

let nats: RealNats;
test.beforeEach(async () => {
  nats = await RealNats.make();
});
test.afterEach(() => nats.close());

/** Whether we are let in, with this; `undefined` when we are. */
async function refusal(env: Readonly<Record<string, string>>, access: Omit<BusAccess, 'url'> = {}, who = conductor) {
  try {
    await (await openBus({ url: nats.url, ...access }, who, { env })).close();
    return undefined;
  } catch (error) {
    return error;
  }
}

test('a user and a password of the environment let each side in with its own rights and its own inbox, and no others do', async () => {
  await nats.start(rights, variables);
  const as = (user: string, password: string) => ({ LOADLINE_BUS_USER: user, LOADLINE_BUS_PASSWORD: password });
  const address = { name: 'eu.1', instance: 'i1' };
  const host = await openBus({ url: nats.url }, { side: 'host', name: address.name }, { env: as('host', 'host-pass') });
  const ada = await openBus({ url: nats.url }, conductor, { env: as('conductor', 'ada-pass') });
  host.answer(orderSubject(address), async (order) => `${order}ed`);
  await soon(() => ada.request(orderSubject(address), 'play', 400).catch(String)).toBe('played');
  await ada.close();
  await host.close();
  expect(await refusal(as('host', 'guessed'))).toMatchObject({ code: 'E_BUS' });
  expect(await refusal({})).toMatchObject({ code: 'E_BUS' });
});

test('the seed of an nkey lets in by flag or by environment, and a file that is not there is named', async () => {
  const user = nkeys.createUser();
  await nats.start(`authorization { users: [{ nkey: ${user.getPublicKey()} }] }`);
  const seed = join(nats.folder, 'seed');
  await writeFile(seed, `${new TextDecoder().decode(user.getSeed())}\n`);
  expect(await refusal({}, { files: { busCreds: seed } })).toBeUndefined();
  expect(await refusal({ NATS_CREDS: seed })).toBeUndefined();
  expect(await refusal({})).toMatchObject({ code: 'E_BUS' });
  const missing = { code: 'E_BUS', where: `${seed}-of-nobody` };
  expect(await refusal({}, { files: { busCreds: `${seed}-of-nobody` } })).toMatchObject(missing);
  expect(await refusal({ LOADLINE_BUS_CA: `${seed}-of-nobody` })).toMatchObject(missing);
});

test('what the environment says of other buses does not concern the bus of a run on this machine', async () => {
  await nats.start('authorization { token: ours }');
  const env = { NATS_CREDS: '/dev/null/none', LOADLINE_BUS_TOKEN: 'theirs', LOADLINE_BUS_CA: '/dev/null/none' };
  expect(await refusal(env, { token: 'ours' })).toBeUndefined();
  expect(await refusal({ LOADLINE_BUS_TOKEN: 'ours' })).toBeUndefined();
});
