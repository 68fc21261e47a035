import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import type { FaultRow } from './fault.js';
import { type EndedFleetRun, type FleetScene, lifeLeaseMs, shrunk } from './fleet-scene.js';

/** Befalls a run over a real nats-server whose probes exist in numbers only. */
export interface FleetFault extends FaultRow {
  readonly cases: readonly FleetCase[];
}

export interface FleetCase {
  readonly name: string;
  /** Part of the campaign alone, and of no suite. */
  readonly long?: true;
  /** Of the long suite alone. */
  readonly slow?: true;
  /** Absent: a twentieth. */
  readonly lease?: 'whole';
  /** Trials of the run; absent: two, of which the second shows what is left. */
  readonly trials?: number;
  /** What befalls it in the middle of the first trial's window. */
  readonly inject: (scene: FleetScene) => Promise<unknown>;
  /** Checks what the record says of it, and gives it for the table. */
  readonly said: (ended: EndedFleetRun, scene: FleetScene) => string | Promise<string>;
}

const leaseMs = lifeLeaseMs / shrunk;

const once = (id: string, title: string, only: Omit<FleetCase, 'name'>): FleetFault => ({
  id,
  title,
  cases: [{ name: '', ...only }],
});

/** Hosts and conductor wait half a second for one another here, and 10 s in life, unless a row has the whole lease. */
export const fleetSceneFaults: readonly FleetFault[] = [
  once('fleet-host-gone', 'one of two simulated probe hosts gone for good while measuring (leases of 0.5 s)', {
    long: true,
    inject: async ({ hosts: [, host] }) => host?.way.cut(),
    said: (ended) => lostAndNextWithout(ended),
  }),
  {
    id: 'fleet-host-cut-off',
    title: 'one of two simulated probe hosts cut off while measuring, and back (leases of 0.5 s)',
    cases: [
      { name: 'for half a lease', long: true, trials: 1, inject: cutFor(0.5), said: (ended) => untouched(ended) },
      { name: 'for three leases', long: true, inject: cutFor(3), said: backAgain },
      { name: 'for thirty leases', long: true, inject: cutFor(30), said: backAgain },
    ],
  },
  once(
    'fleet-host-slow',
    'one of two simulated probe hosts behind 0.1 s of delay each way, from the middle of measuring on (leases of 0.5 s)',
    {
      long: true,
      trials: 1,
      inject: async ({ hosts: [, host] }) => host?.way.slow(leaseMs / 5),
      said: (ended) => untouched(ended),
    },
  ),
  {
    id: 'fleet-host-drained',
    title: 'one of two simulated probe hosts asked to end (SIGTERM) while measuring',
    cases: [
      {
        name: 'with time to finish',
        long: true,
        inject: async ({ hosts: [, host] }) => void host?.agent.drain('it was asked to end (SIGTERM)', 60_000),
        said: (ended) => {
          const [first, second] = ended.records;
          expect(first?.events.filter(({ type }) => type === 'host-lost')).toEqual([]);
          expect(first?.verdict.kind).toBe('stable');
          expect(placesOf(second)).toEqual(['a']);
          return 'the trial is not touched (stable); the next is played without it, and says so';
        },
      },
      {
        name: 'without',
        long: true,
        inject: async ({ hosts: [, host] }) => void host?.agent.close('it was asked to end (SIGTERM)'),
        said: (ended) => lostAndNextWithout(ended),
      },
    ],
  },
  once(
    'fleet-bus-restarted',
    'the bus of two simulated probe hosts killed (SIGKILL) while measuring, and started again',
    {
      long: true,
      lease: 'whole',
      trials: 1,
      inject: async ({ nats }) => {
        await nats.stop();
        await nats.start();
      },
      said: (ended) => untouched(ended),
    },
  ),
  once(
    'fleet-bus-diskless',
    'the bus of two simulated probe hosts killed (SIGKILL) while measuring, and started again without what it had stored',
    {
      long: true,
      lease: 'whole',
      inject: async ({ nats }) => {
        await nats.stop();
        await rm(nats.store, { recursive: true, force: true });
        await nats.start();
      },
      said: ({ records: [first, second], error }) => {
        expect(error).toBeUndefined();
        expect(first?.verdict.kind, JSON.stringify(first?.verdict.reasons)).not.toBe('unstable');
        expect(second?.verdict.kind).toBe('stable');
        const why = first?.verdict.kind === 'stable' ? 'no sample is missing.' : first?.verdict.reasons[0]?.text;
        return `the stream is made anew; ${first?.verdict.kind}: ${why ?? ''} The next trial is stable.`.replace(
          '..',
          '.',
        );
      },
    },
  ),
  once('fleet-second-run', 'a second run on the simulated hosts that a first one holds', {
    long: true,
    trials: 1,
    inject: (scene) =>
      expect(scene.hold('eve@desk, process 2', 1)).rejects.toMatchObject({
        code: 'E_HOSTS',
        why: ['a: it serves ada@desk, process 1', 'b: it serves ada@desk, process 1'].join('\n'),
      }),
    said: (ended) => `${untouched(ended)}; the second run ends with E_HOSTS: "it serves ada@desk, process 1"`,
  }),
  once(
    'fleet-conductor-gone',
    'the conductor of two simulated probe hosts gone for good while measuring (leases of 0.5 s)',
    {
      slow: true,
      trials: 1,
      inject: async ({ conductorsWay }) => conductorsWay.cut(),
      said: async (ended, scene) => {
        expect(ended.records[0]?.verdict.kind).toBe('void');
        for (const { said } of scene.hosts) expect(said.at(-1)).toContain('ended what it had started');
        scene.conductorsWay.mend();
        await scene.pool?.close();
        expect((await scene.hold('ada@desk, process 3')).hosts()).toHaveLength(2);
        return 'each host ends its probes when its lease is over; a run that is begun or resumed after that has both';
      },
    },
  ),
];

function cutFor(leases: number): FleetCase['inject'] {
  return async ({ hosts: [, host] }) => {
    host?.way.cut();
    await sleep(leases * leaseMs);
    host?.way.mend();
  };
}

const placesOf = (record: EndedFleetRun['records'][number] | undefined) => [
  ...new Set(record?.probes.map(({ host }) => host)),
];

/** As if nothing had befallen it: every second of each probe is there, and none twice. */
function untouched({ records: [record], error, seconds: secondsOf }: EndedFleetRun): string {
  expect(error).toBeUndefined();
  expect(record?.verdict.kind, JSON.stringify(record?.verdict.reasons)).toBe('stable');
  expect(record?.events.filter(({ type }) => type === 'host-lost')).toEqual([]);
  const told = secondsOf(1);
  expect(new Set(told).size, 'no sample is there twice').toBe(told.length);
  const countOf = (probe: string) => told.filter((one) => one.startsWith(`${probe} `)).length;
  expect(Math.abs(countOf('1a') - countOf('1b')), 'none of one host is missing').toBeLessThanOrEqual(1);
  return 'the trial is not touched (stable)';
}

function lostAndNextWithout({ records: [first, second], error }: EndedFleetRun): string {
  expect(error).toBeUndefined();
  expect(first?.verdict.kind).toBe('void');
  const reason = first?.verdict.reasons.find(({ code }) => code === 'host-lost');
  expect(reason, JSON.stringify(first?.verdict.reasons)).toBeDefined();
  expect(placesOf(second)).toEqual(['a']);
  expect(second?.verdict.kind).toBe('stable');
  return `void: ${reason?.text} The next trial is played by the other host, and stable.`;
}

async function backAgain(ended: EndedFleetRun, scene: FleetScene): Promise<string> {
  const said = lostAndNextWithout(ended);
  await scene.pool?.close();
  expect((await scene.hold('ada@desk, process 4')).hosts(), 'it is free again').toHaveLength(2);
  return `${said} A run that is begun when it is back has both.`;
}
