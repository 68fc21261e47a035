import { expect, test } from '@playwright/test';
import { long } from '../../tests/effort.js';
import { fleetOf, HostsStage } from '../../tests/hosts-stage.js';
import { soon } from '../../tests/soon.js';

const why = 'it was asked to end (SIGTERM)';
const enoughMs = 60_000;

let stage: HostsStage;
test.beforeEach(() => {
  stage = new HostsStage([{ name: 'a' }, { name: 'b' }]);
});
test.afterEach(() => stage.close());

const lost = (events: readonly { readonly type: string }[]) => events.filter(({ type }) => type === 'host-lost');

test('a host that is drained plays the trial that is under way to its end, and no further one', async () => {
  const pool = await stage.pool({ silenceMs: 1000 });
  const { fleet, events, samples, join } = fleetOf(pool);
  await join();
  const draining = stage.hosts[1]?.agent.drain(why, enoughMs);
  await soon(() => pool.lostHosts()).toEqual([{ id: 'b', lost: why }]);
  stage.hosts[1]?.fleets[0]?.measure(1);
  await soon(() => samples.map(({ probe }) => probe)).toEqual(['1b', '2b']);
  await fleet.leave();
  await fleet.close();
  await draining;
  expect(lost(events)).toEqual([]);
  expect(fleet.records().flatMap(({ failures }) => failures)).toEqual([]);
  const next = fleetOf(pool);
  await next.join();
  expect(next.fleet.records().map(({ host }) => host)).toEqual(['a', 'a', 'a', 'a']);
  expect(next.events[0]).toMatchObject({ type: 'warning', text: `Host b plays no probes any more: ${why}.` });
  await next.fleet.close();
});

test('a trial that takes longer than its host may still wait is handed back: the host is lost, and says why', async () => {
  const { fleet, events, join } = fleetOf(await stage.pool());
  await join();
  await stage.hosts[1]?.agent.drain(why, 50);
  await soon(() => lost(events)).toMatchObject([{ host: 'b', detail: why }]);
  expect(stage.hosts[1]?.fleets[0]?.isClosed).toBe(true);
  await fleet.close();
});

test(
  'a host that is drained between two trials goes at once, and a new run is told why it cannot have it',
  long,
  async () => {
    const pool = await stage.pool();
    const { fleet, join } = fleetOf(pool);
    await join();
    const draining = stage.hosts[1]?.agent.drain(why, enoughMs);
    await expect(stage.pool({ atLeast: 3 })).rejects.toMatchObject({ code: 'E_HOSTS' });
    await fleet.close();
    await draining;
    await pool.close();
    const next = await stage.pool();
    expect(next.hosts().map(({ id }) => id)).toEqual(['a']);
  },
);
