import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { byOneClock } from '../../model/clock-times.js';
import { LoadlineError } from '../../model/errors.js';
import type { ReceiveStreamSample } from '../../model/sample.js';
import { fleetOf, type HostStory, type HostsStage, onHosts } from '../../tests/hosts-stage.js';
import { soon } from '../../tests/soon.js';
import type { HostPool } from './host-pool.js';

const two: readonly HostStory[] = [{ name: 'a' }, { name: 'b' }];
const seconds = (samples: readonly { readonly probe: string; readonly atMs: number }[], probe: string) =>
  samples.filter((sample) => sample.probe === probe).map(({ atMs }) => atMs / 1000);

test('a trial is played by two hosts: who is where stands in the record, and what the media server is asked comes from the conductor', () =>
  onHosts(two, async (stage) => {
    const { fleet, events, join } = fleetOf(await stage.pool());
    const asked: string[] = [];
    await join({
      negotiate: async ({ participant, offer }) => {
        asked.push(`${participant.id}: ${offer}`);
        return { answer: 'yes', addCandidate: async () => undefined };
      },
    });
    expect(asked.sort()).toEqual(['1a', '1b', '2a', '2b'].map((id) => `${id}: offer of ${id}`));
    expect(fleet.records().map(({ participant, host, up }) => [participant.id, host, up])).toEqual([
      ['1a', 'a', true],
      ['1b', 'b', true],
      ['2a', 'a', true],
      ['2b', 'b', true],
    ]);
    expect(events.filter(({ type }) => type === 'probe-up')).toHaveLength(4);
    await fleet.leave();
    await fleet.close();
    expect(stage.hosts.map(({ fleets }) => fleets[0]?.isClosed)).toEqual([true, true]);
  }));

test('a batch whose receipt is lost is sent again, and no sample comes twice', () => {
  let nth = 0;
  const loses = () => nth++ % 2 === 0;
  return onHosts([{ name: 'a', loses }, { name: 'b' }], async (stage) => {
    const { fleet, samples, join } = fleetOf(await stage.pool());
    await join();
    for (const second of [1, 2, 3]) {
      for (const { fleets } of stage.hosts) fleets[0]?.measure(second);
      await sleep(150);
    }
    await fleet.leave();
    await fleet.close();
    for (const probe of ['1a', '1b', '2a', '2b']) expect(seconds(samples, probe)).toEqual([1, 2, 3]);
    expect(nth).toBeGreaterThan(3);
  });
});

test('what a host measures while it is cut off comes when it is back, all of it and once', () =>
  onHosts(two, async (stage) => {
    const { fleet, samples, events, join } = fleetOf(await stage.pool());
    await join();
    const [, cut] = stage.hosts;
    if (cut) cut.client.isCut = true;
    for (const second of [1, 2]) cut?.fleets[0]?.measure(second);
    await sleep(300);
    expect(seconds(samples, '1b')).toEqual([]);
    if (cut) cut.client.isCut = false;
    cut?.fleets[0]?.measure(3);
    await soon(() => seconds(samples, '1b'), { timeout: 8000 }).toEqual([1, 2, 3]);
    expect(events.filter(({ type }) => type === 'host-lost')).toEqual([]);
    await fleet.close();
  }));

test('a host that says nothing any more is lost: an event, and a failure of each of its probes and of no other', () =>
  onHosts([{ name: 'a' }, { name: 'b', leaseMs: 400 }], async (stage) => {
    const pool = await stage.pool({ silenceMs: 400 });
    const { fleet, events, join } = fleetOf(pool);
    await join();
    const [, cut] = stage.hosts;
    if (cut) cut.client.isCut = true;
    await soon(() => events.map(({ type }) => type)).toContain('host-lost');
    expect(events.find(({ type }) => type === 'host-lost')).toMatchObject({
      host: 'b',
      probes: ['1b', '2b'],
      detail: expect.stringContaining('0.4 s'),
    });
    const failures = fleet.records().map(({ failures: [first] }) => first?.code);
    expect(failures).toEqual([undefined, 'host-lost', undefined, 'host-lost']);
    expect(cut?.said.at(-1)).toMatch(/has asked nothing for 0.4 s: ended what it had started/);
    expect(cut?.fleets[0]?.isClosed).toBe(true);
    await fleet.close();
    const next = fleetOf(pool);
    await next.join();
    expect(next.fleet.records().map(({ host }) => host)).toEqual(['a', 'a', 'a', 'a']);
    expect(next.events[0]).toMatchObject({
      type: 'warning',
      text: expect.stringMatching(/^Host b /),
    });
    await next.fleet.close();
  }));

test('a host that is asked to end says why, and is lost at once', () =>
  onHosts(two, async (stage) => {
    const { fleet, events, join } = fleetOf(await stage.pool());
    await join();
    await stage.hosts[1]?.agent.close('it was asked to end (SIGTERM)');
    await soon(() => events.find(({ type }) => type === 'host-lost')).toMatchObject({
      host: 'b',
      detail: 'it was asked to end (SIGTERM)',
    });
    await fleet.close();
  }));

test('with no host left a trial ends with E_HOSTS_LOST, which says what became of each', () =>
  onHosts([{ name: 'a' }], async (stage) => {
    const pool = await stage.pool();
    const first = fleetOf(pool);
    await first.join();
    await stage.hosts[0]?.agent.close('it was asked to end (SIGTERM)');
    await soon(() => pool.hosts().length).toBe(0);
    await first.fleet.close();
    await expect(fleetOf(pool).join()).rejects.toMatchObject({
      code: 'E_HOSTS_LOST',
      why: 'a: it was asked to end (SIGTERM)',
    });
  }));

test('browsers of a conductor that is gone are ended when its lease is over, and the host is free again', () =>
  onHosts([{ name: 'a', leaseMs: 300 }], async (stage) => {
    const bus = stage.bus.client();
    const { join } = fleetOf(await stage.pool({ bus, silenceMs: 60_000 }));
    await join();
    bus.isCut = true;
    await soon(() => stage.hosts[0]?.fleets[0]?.isClosed).toBe(true);
    const next = await stage.pool({ by: 'eve@desk, process 2' });
    expect(next.hosts().map(({ id }) => id)).toEqual(['a']);
  }));

test('a host serves one run at a time, and tells a second conductor whose', () =>
  onHosts([{ name: 'a' }], async (stage) => {
    const pool = await stage.pool();
    await expect(stage.pool({ by: 'eve@desk, process 2' })).rejects.toMatchObject({
      code: 'E_HOSTS',
      why: 'a: it serves ada@desk, process 1',
    });
    await pool.close();
    expect((await stage.pool({ by: 'eve@desk, process 2' })).hosts()).toHaveLength(1);
  }));

test('hosts of another build, without Chromium or with another one are not used, and it is said why', () =>
  onHosts(
    [
      { name: 'old', build: 'b0' },
      { name: 'bare', chromium: '' },
      { name: 'other', chromium: '157' },
      { name: 'a' },
      { name: 'b' },
    ],
    async (stage) => {
      await expect(stage.pool({ atLeast: 3 })).rejects.toMatchObject({
        code: 'E_HOSTS',
        message: '2 of 3 probe hosts can serve, and no more.',
        why: [
          'bare: it has no Chromium',
          'old: it has another build of version 0.1.0, and this is 0.1.0',
          'other: it has Chromium 157, and the others 156',
        ].join('\n'),
      });
      const pool = await stage.pool();
      expect([pool.chromium, pool.hosts().map(({ id }) => id)]).toEqual(['156', ['a', 'b']]);
    },
  ));

test('a host that plays more than it was calibrated to carry is named in the record, and the others play their share', () =>
  onHosts(
    [
      { name: 'a', carries: 1 },
      { name: 'b', carries: 4 },
    ],
    async (stage) => {
      const { fleet, events, join } = fleetOf(await stage.pool());
      await join({ size: 3 });
      expect(fleet.records().map(({ host }) => host)).toEqual(['b', 'b', 'b', 'a', 'b', 'b']);
      const texts = events.flatMap((event) => (event.type === 'warning' ? event.text : []));
      expect(texts).toContain('Host b plays 5 probes; it was calibrated to carry 4.');
      await fleet.close();
    },
  ));

test('the clock of a host 7 s ahead is set right to within its bound, and one on the conductor’s machine is not touched', () =>
  onHosts(
    [
      { name: 'a', aheadMs: 7000 },
      { name: 'b', boot: 'desk' },
    ],
    async (stage) => {
      const { fleet, join } = fleetOf(await stage.pool());
      await join();
      const [ahead, beside] = fleet.hosts();
      expect(Math.abs((ahead?.clock?.offsetMs ?? 0) + 7000)).toBeLessThanOrEqual(ahead?.clock?.boundMs ?? 0);
      expect(beside).toMatchObject({ id: 'b', besideConductor: true });
      expect(beside?.clock).toBeUndefined();
      await fleet.close();
    },
  ));

test('delays between a host 500 ms ahead and another one come out as on one clock, to within the bound of their clocks', () =>
  onHosts([{ name: 'a', aheadMs: 500 }, { name: 'a2', boot: 'a', aheadMs: 500 }, { name: 'b' }], async (stage) => {
    const { fleet, samples, join } = fleetOf(await stage.pool());
    await join();
    const [a, a2, b] = stage.hosts.map(({ fleets }) => fleets[0]?.options.ownClock);
    expect(a2, 'of one machine').toBe(a);
    expect([a, b]).toEqual([expect.any(Number), expect.any(Number)]);
    expect(a).not.toBe(b);
    const takenLater = { of: 'delay', clock: b ?? 0, count: 30, meanMs: 540, maxMs: 600 } as const;
    const video = { leg: '1a', direction: 'receive', kind: 'video', metrics: {}, byClock: [takenLater] } as const;
    stage.hosts[0]?.fleets[0]?.measure(1, [video]);
    await soon(() => samples.length).toBeGreaterThan(0);
    const ofHost = (mark?: number) => (mark === undefined ? fleet.clockOf?.('a') : fleet.markedClock?.(mark));
    const [told] = samples.flatMap((sample) => byOneClock(sample, ofHost).streams);
    const { delayMs = Number.NaN, delayBoundMs = Number.NaN } = (told?.metrics ?? {}) as ReceiveStreamSample['metrics'];
    expect(Math.abs(delayMs - 40)).toBeLessThanOrEqual(delayBoundMs);
    expect(fleet.markedClock?.(4096), 'nobody has it').toBeUndefined();
    await fleet.close();
  }));

test('the record of a trial says of each host where it is, what it has, and how late its pace began', () =>
  onHosts([{ name: 'a', place: 'eu-west', carries: 4 }, { name: 'b' }], async (stage) => {
    const { fleet, join } = fleetOf(await stage.pool());
    await join();
    const [a, b] = fleet.hosts();
    expect(a).toMatchObject({ id: 'a', place: 'eu-west', cores: 2, carries: 4, beganLateMs: expect.any(Number) });
    expect(b).toMatchObject({ id: 'b', cores: 2, beganLateMs: expect.any(Number) });
    expect(b).not.toHaveProperty('place');
    await fleet.close();
  }));

test('a refusal of the media server is the probe’s failure with the server’s own words', () =>
  onHosts(two, async (stage) => {
    const { fleet, join } = fleetOf(await stage.pool());
    await join({
      negotiate: async ({ participant }) => {
        if (participant.id === '2b') throw new LoadlineError('E_SERVER_REFUSED', 'Too many sessions.');
        return { answer: 'yes', addCandidate: async () => undefined };
      },
    });
    const failures = fleet.records().map(({ failures: [first] }) => first?.detail);
    expect(failures).toEqual([undefined, undefined, undefined, 'LoadlineError: Too many sessions.']);
    await fleet.close();
  }));

test('where the server makes the offer, it goes to the host and the answer comes back, for a further offer, too', () =>
  onHosts([{ name: 'a' }], async (stage) => {
    const { fleet, join } = fleetOf(await stage.pool());
    const answers: string[] = [];
    await join({
      size: 1,
      begin: async ({ participant, renegotiate }) => ({
        by: 'server',
        offer: `offer to ${participant.id}`,
        answer: async (answer) => {
          answers.push(answer, await renegotiate({ offer: `more for ${participant.id}` }));
        },
        addCandidate: async () => undefined,
      }),
    });
    expect(answers.sort()).toEqual([
      'answer to more for 1a',
      'answer to more for 1b',
      'answer to offer to 1a',
      'answer to offer to 1b',
    ]);
    await fleet.close();
  }));

for (const [what, spoil, message = 'this is no order of this version'] of [
  ['names a program', { chromiumPath: '/bin/sh' }],
  [
    'puts probes into a network that it has not had made',
    { participants: [{ id: '1', session: '1', role: 'r', legs: [], network: 'x' }] },
    'its network "x" is not shaped for 0 connections',
  ],
  ['asks for a camera of 60,000 × 60,000', { media: { width: 60_000, height: 60_000 } }],
  ['sends probes to a web page as a relay', { relay: { accesses: { a: { url: 'http://10.0.0.1' } } } }],
  ['is none', { do: 'run' }],
] as const) {
  test(`an order that ${what} is refused, and starts nothing`, () =>
    onHosts([{ name: 'a' }], async (stage) => {
      const lease = await heldBy(stage);
      const media = { width: 640, height: 360, framesPerSecond: 30, videoKbps: 500, videoCodec: 'VP8' };
      const participants = [{ id: '1', session: '1', role: 'r', legs: [] }];
      const frame = { do: 'join', trial: 't', host: 'a', ownClock: 1, media, probesPerPage: 1, pagesPerBrowser: 1 };
      const good = { ...frame, participants, cast: {}, starts: {}, pacePerSecond: 1, deadlineMs: 1000 };
      const give = async (id: string, order: object) =>
        JSON.parse(
          await stage.bus.client().request('loadline.host.a.host-0.order', JSON.stringify({ id, lease, order }), 100),
        );
      expect(await give('1', { ...good, ...spoil })).toEqual({ ok: false, message });
      expect(stage.hosts[0]?.fleets).toEqual([]);
      expect(await give('2', good)).toEqual({ ok: true });
      await give('2', good);
      expect(stage.hosts[0]?.fleets).toHaveLength(1);
    }));
}

test('an order of somebody who does not know the lease is refused', () =>
  onHosts([{ name: 'a' }], async (stage) => {
    await heldBy(stage);
    const order = JSON.stringify({ id: '1', lease: 'guessed', order: { do: 'close', trial: 't' } });
    const reply = await stage.bus.client().request('loadline.host.a.host-0.order', order, 100);
    expect(JSON.parse(reply)).toEqual({ ok: false, message: 'it serves ada@desk, process 1' });
  }));

/** The lease under which the first host is held from now on. */
async function heldBy(stage: HostsStage): Promise<string> {
  const pool: HostPool = await stage.pool();
  expect(pool.hosts()).toHaveLength(1);
  const reserve = stage.bus.asked.find(({ subject }) => subject === 'loadline.host.a.host-0.order');
  return JSON.parse(reserve?.text ?? '{}').lease;
}
