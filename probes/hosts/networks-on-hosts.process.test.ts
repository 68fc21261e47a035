import { expect, test } from '@playwright/test';
import type { Network } from '../../model/network.js';
import type { NetworkCheck } from '../../model/network-record.js';
import type { NetworkChange, Networks } from '../../model/run-networks.js';
import { fleetOf, type HostStory, onHosts } from '../../tests/hosts-stage.js';
import { soon } from '../../tests/soon.js';
import type { MakeNetworks } from './held-networks.js';
import { networksOnHosts } from './networks-on-hosts.js';

const wifi: Network = { name: 'wifi', sharePercent: 100, up: { delayMs: 20 }, down: { delayMs: 20 }, steps: [] };
const measure = { sent: 100, received: 100, lossPercent: 0, duplicatePercent: 0, reorderPercent: 0 };
const check: NetworkCheck = {
  network: 'wifi',
  set: { up: wifi.up, down: wifi.down },
  measured: { up: measure, down: measure },
  problems: ['wifi, up: delay of 20 ms set and 30 ms measured.'],
};
const impairs = { means: 'netem', why: 'kernel 6.1 has netem' } as const;
const wanted = { build: 'b1', version: '0.1.0', boot: 'desk', impairs: { serverElsewhere: true } };
const signal = new AbortController().signal;

/** The networks of one host, with what was asked of them. */
class ScriptedNetworks implements Networks {
  readonly applyBoundMs = 1000;
  readonly asked: string[] = [];
  onLost: (detail: string) => void = () => undefined;
  onChange: (change: NetworkChange) => void = () => undefined;

  /** Packets that found no time; absent: unknown. */
  lost: { readonly overflow?: number } = { overflow: 7 };

  constructor(private readonly refuses?: string) {}

  readonly make: MakeNetworks = async ({ networks, serverElsewhere }) => {
    this.asked.push(`made ${networks.map(({ name }) => name)}, ${serverElsewhere ? 'elsewhere' : 'here'}`);
    return this;
  };

  async start() {
    if (this.refuses !== undefined) throw new Error(this.refuses);
    return { means: impairs.means, why: impairs.why };
  }

  async apply(connections: ReadonlyMap<string, number>) {
    this.asked.push(`shaped for ${[...connections].join()}`);
    return [check];
  }

  watch(onLost: (detail: string) => void) {
    this.onLost = onLost;
  }

  begin(onChange: (change: NetworkChange) => void) {
    this.onChange = onChange;
  }

  async clear() {
    return this.lost;
  }

  inside(network: string) {
    return ['inside', network];
  }

  async stop() {
    this.asked.push('stopped');
  }
}

function twoHosts(refuses?: string): { readonly own: readonly ScriptedNetworks[]; readonly stories: HostStory[] } {
  const own = [new ScriptedNetworks(), new ScriptedNetworks(refuses)];
  const stories = own.map(({ make }, nth) => ({ name: ['a', 'b'][nth] ?? '', impairs, makeNetworks: make }));
  return { own, stories };
}

test('each host makes, shapes and measures the networks of its own probes, and removes them when the run lets it go', () => {
  const { own, stories } = twoHosts();
  return onHosts(stories, async (stage) => {
    const pool = await stage.pool({ wanted });
    const networks = networksOnHosts(pool, [wifi], () => true);
    expect(await networks.start(signal)).toEqual({ means: 'netem', why: 'on a, b: kernel 6.1 has netem' });
    const checks = await networks.apply(new Map([['wifi', 300]]), signal);
    expect(checks.map(({ host, problems }) => [host, ...problems])).toEqual([
      ['a', 'On host a: wifi, up: delay of 20 ms set and 30 ms measured.'],
      ['b', 'On host b: wifi, up: delay of 20 ms set and 30 ms measured.'],
    ]);
    const { fleet, join } = fleetOf(pool);
    await join({ network: 'wifi' });
    expect(stage.hosts.map(({ fleets }) => fleets[0]?.options.inside?.('wifi'))).toEqual([
      ['inside', 'wifi'],
      ['inside', 'wifi'],
    ]);
    await fleet.close();
    expect(await networks.clear()).toEqual({ overflow: 14 });
    for (const one of own.slice(1)) one.lost = {};
    expect(await networks.clear()).toEqual({});
    await networks.stop();
    await pool.close();
    const all = ['made wifi, elsewhere', 'shaped for wifi,128', 'stopped'];
    expect(own.map(({ asked }) => asked)).toEqual([all, all]);
  });
});

test('a change over time is an event of each host, and one that could not be made is a warning', () => {
  const { own, stories } = twoHosts();
  return onHosts(stories, async (stage) => {
    const pool = await stage.pool({ wanted });
    const networks = networksOnHosts(pool, [wifi], () => true);
    await networks.start(signal);
    await networks.apply(new Map([['wifi', 4]]), signal);
    const { fleet, events, join } = fleetOf(pool);
    await join({ network: 'wifi' });
    const before = own.map(({ onChange }) => onChange);
    networks.begin(() => undefined);
    await soon(() => own.every(({ onChange }, nth) => onChange !== before[nth])).toBe(true);
    own[0]?.onChange({ network: 'wifi', up: {}, down: {} });
    own[1]?.onChange({ network: 'wifi', up: {}, down: {}, failure: 'no such device' });
    await soon(() => events.find(({ type }) => type === 'network')).toMatchObject({ host: 'a', network: 'wifi' });
    const text = 'The network "wifi" could not be changed: no such device';
    await soon(() => events).toContainEqual(expect.objectContaining({ type: 'warning', host: 'b', text }));
    await fleet.close();
  });
});

test('a host whose networks go away is lost, and says why', () => {
  const { own, stories } = twoHosts();
  return onHosts(stories, async (stage) => {
    const pool = await stage.pool({ wanted });
    const networks = networksOnHosts(pool, [wifi], () => true);
    await networks.start(signal);
    await networks.apply(new Map([['wifi', 4]]), signal);
    const { fleet, events, join } = fleetOf(pool);
    await join({ network: 'wifi' });
    own[1]?.onLost('it was ended by SIGKILL');
    const detail = 'its impaired network went away: it was ended by SIGKILL';
    await soon(() => events.find(({ type }) => type === 'host-lost')).toMatchObject({ host: 'b', detail });
    await fleet.close();
  });
});

test('a host that cannot make its networks is not used, and the others go on', () => {
  const { stories } = twoHosts('RTNETLINK answers: no');
  return onHosts(stories, async (stage) => {
    const pool = await stage.pool({ wanted });
    const networks = networksOnHosts(pool, [wifi], () => true);
    expect((await networks.start(signal)).why).toBe('on a: kernel 6.1 has netem');
    expect(pool.lostHosts()).toEqual([
      { id: 'b', lost: 'it could not make its impaired networks: RTNETLINK answers: no' },
    ]);
  });
});

test('probes whose network is not shaped on their host are refused there, and more than a host can tell apart before', () => {
  const { stories } = twoHosts();
  return onHosts(stories, async (stage) => {
    const pool = await stage.pool({ wanted });
    const networks = networksOnHosts(pool, [wifi], () => true);
    await networks.start(signal);
    await networks.apply(new Map([['wifi', 2]]), signal);
    const crowded = fleetOf(pool);
    await expect(crowded.join({ network: 'wifi', size: 129 })).rejects.toMatchObject({
      code: 'E_NETWORK',
      message: 'The network "wifi" cannot tell 129 connections apart on host a.',
    });
    await crowded.fleet.close();
    const unshaped = fleetOf(pool);
    await unshaped.join({ network: 'wifi', size: 3 });
    expect(unshaped.events.find(({ type }) => type === 'host-lost')).toMatchObject({
      detail: 'it refused to join: its network "wifi" is not shaped for 3 connections',
    });
    await unshaped.fleet.close();
  });
});

for (const [what, story, why] of [
  ['without rights', { impairs: { means: 'none', why: 'they need root' } }, 'they need root'],
  ['that says nothing of networks', {}, 'it does not say how'],
] as const) {
  test(`a host ${what} is unfit for impaired networks, and for nothing else`, () =>
    onHosts([{ name: 'a', ...story }], async (stage) => {
      await expect(stage.pool({ wanted })).rejects.toMatchObject({
        code: 'E_HOSTS',
        why: `a: it cannot impair networks: ${why}`,
      });
      expect((await stage.pool()).hosts()).toHaveLength(1);
    }));
}
