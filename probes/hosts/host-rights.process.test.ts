import { expect, test } from '@playwright/test';
import type { Negotiate } from '../../model/signalling.js';
import { fleetOf, onHosts } from '../../tests/hosts-stage.js';
import { soon } from '../../tests/soon.js';
import { sourceFiles } from '../../tests/source-files.js';
import type { FleetRelay } from '../fleet.js';

const answering =
  (...addresses: readonly string[]): Negotiate =>
  async () => ({
    answer: addresses.map((one) => `a=candidate:1 1 udp 1 ${one} 9 typ host`).join('\r\n'),
    addCandidate: async () => undefined,
  });

const relayAt = (url: string): FleetRelay => ({
  accessFor: (probe) => ({ url, protocol: 'udp', username: `user-of-${probe}`, credential: `secret-of-${probe}` }),
});

const kinds = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);
const codes = (fleet: ReturnType<typeof fleetOf>['fleet']) =>
  fleet.records().map(({ failures: [failure] }) => failure?.code);

test('a host that may not send media to where the server is plays no part, and the server is not blamed', () =>
  onHosts([{ name: 'a', allow: ['10.0.0.0/24'] }, { name: 'b' }], async (stage) => {
    const { fleet, events, join } = fleetOf(await stage.pool());
    await join({ negotiate: answering('10.0.0.9', '172.17.0.1') });
    await soon(() => kinds(events)).toContain('host-lost');
    expect(events.find(({ type }) => type === 'host-lost')).toMatchObject({
      host: 'a',
      detail: 'it may not send media to 172.17.0.1: its --allow does not name it',
    });
    expect(codes(fleet)).toEqual(['host-lost', undefined, 'host-lost', undefined]);
    await fleet.close();
  }));

test('a host whose native probe is asked from an address that is not allowed gives up its part, too', () =>
  onHosts([{ name: 'a', allow: ['10.0.0.0/24'] }, { name: 'b' }], async (stage) => {
    const { fleet, events, join } = fleetOf(await stage.pool());
    await join();
    const [first, second] = stage.hosts.map(({ fleets }) => fleets[0]?.options.allow);
    expect([first?.words, second]).toEqual([['10.0.0.0/24'], undefined]);
    first?.onForbidden('192.0.2.7');
    await soon(() => kinds(events)).toContain('host-lost');
    expect(events.find(({ type }) => type === 'host-lost')).toMatchObject({
      host: 'a',
      detail: expect.stringContaining('192.0.2.7'),
    });
    await fleet.close();
  }));

test('a host plays where all that the server names is allowed', () =>
  onHosts([{ name: 'a', allow: ['10.0.0.0/24'] }], async (stage) => {
    const { fleet, join } = fleetOf(await stage.pool());
    await join({ negotiate: answering('10.0.0.9') });
    expect(fleet.records().map(({ up }) => up)).toEqual([true, true, true, true]);
    await fleet.close();
  }));

test('a host that may not speak to the relay of a run takes no part in it', () =>
  onHosts([{ name: 'a', allow: ['10.0.0.9'] }, { name: 'b' }], async (stage) => {
    const relay = relayAt('turn:turn.example.com:3478');
    const { fleet, events, join } = fleetOf(await stage.pool(), { relay });
    await join();
    expect(stage.hosts[0]?.fleets).toEqual([]);
    expect(events.find(({ type }) => type === 'host-lost')).toMatchObject({
      host: 'a',
      detail: expect.stringContaining('turn.example.com'),
    });
    await fleet.close();
  }));

test('the credentials of a relay go to the host whose probes need them, to no other, and not into the stream', () =>
  onHosts([{ name: 'a' }, { name: 'b' }], async (stage) => {
    const { fleet, join } = fleetOf(await stage.pool(), { relay: relayAt('turn:10.0.0.9:3478') });
    await join();
    for (const { fleets } of stage.hosts) fleets[0]?.measure(1);
    await fleet.leave();
    await fleet.close();
    const told = (probe: string) =>
      stage.bus.asked.flatMap(({ subject, text }) => (text.includes(`secret-of-${probe}`) ? [subject] : []));
    expect(told('1a')).toEqual(['loadline.host.a.host-0.order']);
    expect(told('1b')).toEqual(['loadline.host.b.host-1.order']);
    expect(stage.bus.appended.length).toBeGreaterThan(0);
    expect(stage.bus.appended.filter((text) => text.includes('secret-of-'))).toEqual([]);
  }));

test('what is told or asked in the name of another host is not heard', () =>
  onHosts([{ name: 'a' }, { name: 'b' }], async (stage) => {
    const { fleet, events, samples, join } = fleetOf(await stage.pool());
    await join();
    const told = stage.bus.appended.map((text) => JSON.parse(text)).find(({ host }) => host === 'host-0');
    const lie = { ...told, number: told.number + 1, told: [{ is: 'going', why: 'b says so' }] };
    const lease = JSON.parse(stage.bus.asked.find(({ text }) => text.includes('"reserve"'))?.text ?? '{}').lease;
    await stage.bus.client().append(`loadline.told.${lease}.b.host-1`, JSON.stringify(lie), 'a-lie', 100);
    stage.hosts[0]?.fleets[0]?.measure(1);
    await soon(() => samples.map(({ host }) => host)).toEqual(['a', 'a']);
    expect(kinds(events)).not.toContain('host-lost');
    const own = `loadline.conductor.${lease}.b.host-1.signal`;
    const question = { id: 'q1', trial: told.trial, signal: { ask: 'called-off', probe: '1a', leg: 'nobody' } };
    expect(
      JSON.parse(await stage.bus.client().request(own, JSON.stringify({ ...question, host: 'host-0' }), 100)),
    ).toEqual({
      ok: false,
      message: 'this is no question of this version',
    });
    await fleet.close();
  }));

test('a host whose words cannot be read is lost by that name, because nobody knows what they said', () =>
  onHosts([{ name: 'a' }, { name: 'b' }], async (stage) => {
    const { fleet, events, join } = fleetOf(await stage.pool());
    await join();
    const lease = JSON.parse(stage.bus.asked.find(({ text }) => text.includes('"reserve"'))?.text ?? '{}').lease;
    await stage.bus.client().append(`loadline.told.${lease}.b.host-1`, '{"host":"host-1"}', 'no-batch', 100);
    await soon(() => kinds(events)).toContain('host-lost');
    expect(events).toContainEqual(
      expect.objectContaining({ detail: 'what it told cannot be read', probes: ['1b', '2b'] }),
    );
    await fleet.close();
  }));

test('nothing that plays probes starts a shell', () => {
  const shells = /\bshell:|(?<!\.)\bexec(?:Sync)?\(|tied-process|['"](?:\/bin\/)?(?:ba|da)?sh['"]/;
  const files = sourceFiles().filter(({ path }) => path.startsWith('probes/') && !path.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter(({ text }) => shells.test(text)).map(({ path }) => path)).toEqual([]);
});
