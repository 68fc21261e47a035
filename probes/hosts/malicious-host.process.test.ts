import { expect, test } from '@playwright/test';
import { fleetOf, type HostsStage, onHosts } from '../../tests/hosts-stage.js';
import { aSample } from '../../tests/scripted-fleet.js';
import { soon } from '../../tests/soon.js';
import { batchText, samplesJson } from './host-messages.js';

type Parts = Parameters<typeof batchText>[1];

const batches = 400;
const inBatch = 100;
const hundred = <T>(make: (nth: number) => T): T[] => Array.from({ length: inBatch }, (_, nth) => make(nth));

const reading = { host: 'b', cores: 2, busyCores: 1, stealCores: 0, probeCores: 1, memoryAvailableMb: 1000 };
const failure = { code: 'join-timeout', atMs: 1, detail: 'x' };

const floods: Readonly<Record<string, (nth: number) => Parts>> = {
  samples: (nth) => [
    {
      json: samplesJson(inBatch),
      lines: hundred((line) => JSON.stringify(aSample('1b', 'b', nth * inBatch + line))),
    },
  ],
  readings: (nth) => {
    const readings = hundred((at) => ({ ...reading, atMs: nth * inBatch + at, more: 'xxx' }));
    return [{ json: JSON.stringify({ is: 'readings', readings }), lines: [] }];
  },
  events: (nth) =>
    hundred((at) => {
      const event = { type: 'probe-failed', host: 'b', atMs: 1, failure: { ...failure, probe: `${nth}-${at}` } };
      return { json: JSON.stringify({ is: 'event', event }), lines: [] };
    }),
};

/** From here on the second host tells this, batch after batch, where its agent has told before. */
async function flood({ hosts, bus }: HostsStage, subject: string, parts: (nth: number) => Parts): Promise<void> {
  const heads = bus.appended.map((text) => JSON.parse(text.split('\n')[0] ?? ''));
  const { host, trial, number } = heads.filter((head) => head.host === hosts[1]?.instance).at(-1);
  for (let nth = 1; nth <= batches; nth += 1)
    await hosts[1]?.client.append(
      subject,
      batchText({ host, trial, number: number + nth }, parts(nth)),
      `${nth}`,
      1000,
    );
}

for (const [what, parts] of Object.entries(floods)) {
  test(`a host that tells ${what} without end is lost, and little of it is kept`, () =>
    onHosts([{ name: 'a' }, { name: 'b' }], async (stage) => {
      const subjects: string[] = [];
      const [, bad] = stage.hosts;
      const append = bad?.client.append.bind(bad.client);
      if (bad && append)
        bad.client.append = (subject, ...rest) => {
          subjects.push(subject);
          return append(subject, ...rest);
        };
      const { fleet, samples, events, join } = fleetOf(await stage.pool());
      await join();
      await soon(() => subjects.length).toBeGreaterThan(0);
      await flood(stage, subjects[0] ?? '', parts);
      await soon(() => events.find(({ type }) => type === 'host-lost')).toMatchObject({
        host: 'b',
        detail: expect.stringMatching(new RegExp(`^it told more than a host has to tell of a trial: \\d+ ${what}`)),
      });
      const failures = fleet.records().map(({ failures: [first] }) => first?.code);
      expect(failures).toEqual([undefined, 'host-lost', undefined, 'host-lost']);
      expect(samples.length).toBeLessThan(1000);
      expect(events.length).toBeLessThan(1000);
      const kept = await fleet.readHosts();
      expect(kept.length).toBeLessThan(500);
      expect(JSON.stringify(kept)).not.toContain('xxx');
      await fleet.close();
    }));
}
