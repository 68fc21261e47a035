import { rm } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { sharesOfOne } from '../../model/calibration.js';
import { long } from '../../tests/effort.js';
import { fleetOf } from '../../tests/hosts-stage.js';
import { hasNats, RealNats } from '../../tests/real-nats.js';
import { ScriptedFleet } from '../../tests/scripted-fleet.js';
import { soon } from '../../tests/soon.js';
import { startAgent } from './agent.js';
import type { Bus } from './bus.js';
import { HostPool } from './host-pool.js';
import { openNatsBus } from './nats-bus.js';
import { findServices, offerService } from './offering.js';
import { wireFormat } from './wire.js';

test.skip(!hasNats, 'nats-server is not installed (apt-get install nats-server)');

let nats: RealNats;
const buses: Bus[] = [];

test.beforeEach(async () => {
  nats = await RealNats.make();
});
test.afterEach(async () => {
  for (const bus of buses.splice(0)) await bus.close();
  await nats.close();
});

async function connected(clearEveryMs = 5000): Promise<Bus> {
  const bus = await openNatsBus({ url: nats.url, name: 'a test', clearEveryMs });
  buses.push(bus);
  return bus;
}

test('a request is answered, and one on a subject that nobody listens to is said to be', async () => {
  await nats.start();
  const [one, other] = [await connected(), await connected()];
  one.answer('double', async (text) => text + text);
  await soon(() => other.request('double', 'ab', 1000).catch(String)).toBe('abab');
  await expect(other.request('nobody', '', 1000)).rejects.toMatchObject({ name: 'BusSilence', nobodyThere: true });
});

test('a service is discovered by its name, with what it says of itself and how often it was asked', async () => {
  await nats.start();
  const [host, asker] = [await connected(), await connected()];
  const endpoints = [{ name: 'offer', subject: 'h.offer', answered: async () => 'here' }];
  const stopOffering = offerService(host, { name: 'h', id: 'h1', version: '0.1.0', facts: { cores: '4' }, endpoints });
  await soon(() => findServices(asker, 'h', 200)).toEqual([{ id: 'h1', facts: { cores: '4' } }]);
  expect(await asker.request('h.offer', '', 1000)).toBe('here');
  const stats = JSON.parse(await asker.request('$SRV.STATS.h.h1', '', 1000));
  expect(stats).toMatchObject({
    type: 'io.nats.micro.v1.stats_response',
    endpoints: [{ name: 'offer', num_requests: 1 }],
  });
  stopOffering();
  await soon(() => findServices(asker, 'h', 200)).toEqual([]);
});

test('what was appended is read once and in order, although the bus is killed and started anew in between', async () => {
  await nats.start();
  const [host, conductor] = [await connected(), await connected()];
  await conductor.openStream('told', 'told.*');
  const read: string[] = [];
  await conductor.read('told', (text) => void read.push(text));
  await host.append('told.a', '1', 'id-1', 2000);
  await host.append('told.a', '1', 'id-1', 2000);
  await soon(() => read).toEqual(['1']);
  await nats.stop();
  const whileAway = host.append('told.a', '2', 'id-2', 500).catch(() => 'not known');
  await nats.start();
  await whileAway;
  const again = () => host.append('told.a', '2', 'id-2', 500).then(() => 'taken', String);
  await soon(again, { timeout: 10_000 }).toBe('taken');
  await soon(() => host.append('told.a', '3', 'id-3', 500).then(() => 'taken', String)).toBe('taken');
  await soon(() => read, { timeout: 20_000 }).toEqual(['1', '2', '3']);
});

test('long texts arrive as they were sent, and what was read is taken out of the stream', async () => {
  await nats.start();
  const [host, conductor] = [await connected(), await connected(20)];
  await conductor.openStream('told', 'told.*');
  const read: string[] = [];
  await conductor.read('told', (text) => void read.push(text));
  const long = '{"a":"ä✓ b"}\n'.repeat(5000);
  await host.append('told.a', long, 'id-1', 2000);
  await soon(() => read).toEqual([long]);
  const left = async (): Promise<readonly string[]> => {
    const all: string[] = [];
    const stop = await host.read('told', (text) => void all.push(text));
    await host.append('told.a', 'the end', `end-${performance.now()}`, 2000);
    // The conductor reads, too: where it was first and took the end out, somebody looks again.
    await soon(() => all.at(-1), { timeout: 1000 })
      .toBe('the end')
      .catch(() => all.push('no end was seen'));
    await stop();
    return all.filter((text) => text !== 'the end');
  };
  await soon(left, { timeout: 20_000 }).toEqual([]);
});

test('a bus that is started anew without its disk gets its stream again, and what is appended from then on is read', async () => {
  await nats.start();
  const [host, conductor] = [await connected(), await connected()];
  await conductor.openStream('told', 'told.*');
  const read: string[] = [];
  await conductor.read('told', (text) => void read.push(text));
  await host.append('told.a', '1', 'id-1', 2000);
  await soon(() => read).toEqual(['1']);
  await nats.stop();
  await rm(nats.store, { recursive: true });
  await nats.start();
  const again = () => host.append('told.a', '2', 'id-2', 500).then(() => 'taken', String);
  await soon(again, { timeout: 15_000 }).toBe('taken');
  await soon(() => read, { timeout: 10_000 }).toEqual(['1', '2']);
});

const outlives =
  'a trial on two hosts outlives a bus that is killed and started anew: every sample arrives, and none twice';
test(outlives, long, async () => {
  await nats.start();
  const fleets: ScriptedFleet[] = [];
  const agents = await Promise.all(
    ['a', 'b'].map(async (name) => {
      const facts = { instance: name, name, wireFormat, version: '0.1.0', build: 'b1', chromium: '156' };
      return startAgent({
        bus: await connected(),
        offer: { ...facts, cores: 2, memoryMb: 4000, boot: name },
        memoryFreeMb: async () => undefined,
        fleets: {
          browsers: (options, listener) => {
            const fleet = new ScriptedFleet(options, listener, Date.now);
            fleets.push(fleet);
            return fleet;
          },
        },
        chromiumPath: '/bin/chromium',
        now: Date.now,
        say: () => undefined,
      });
    }),
  );
  const wanted = { build: 'b1', version: '0.1.0', boot: 'desk' };
  const patience = { atLeast: 2, waitMs: 5000 };
  const held = { by: 'ada@desk, process 1', spread: 'even', probes: sharesOfOne('full') } as const;
  const pool = await HostPool.open({ bus: await connected(), wanted, ...held, ...patience });
  const { fleet, samples, events, join } = fleetOf(pool);
  await join({ size: 1 });
  const measure = (second: number) => fleets.forEach((one) => void one.measure(second));
  measure(1);
  await soon(() => samples.length).toBe(2);
  await nats.stop();
  measure(2);
  measure(3);
  await nats.start();
  measure(4);
  await soon(() => samples.length, { timeout: 15_000 }).toBe(8);
  await fleet.leave();
  await fleet.close();
  const secondsOf = (probe: string) => samples.flatMap((one) => (one.probe === probe ? one.atMs / 1000 : []));
  expect([secondsOf('1a'), secondsOf('1b')]).toEqual([
    [1, 2, 3, 4],
    [1, 2, 3, 4],
  ]);
  expect(events.filter(({ type }) => type === 'host-lost')).toEqual([]);
  await pool.close();
  for (const agent of agents) await agent.close('the test is over');
});
