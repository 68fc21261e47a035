import { expect, test } from '@playwright/test';
import type { TrialRecord } from '../../model/trial.js';
import type { StartFleet } from '../../probes/fleet.js';
import { broadcast } from '../../scenarios/broadcast.js';
import { tryOnce } from '../../trial/find-limit.js';
import { aMemorySink, aPlan, aSimulatedRun } from '../simulated-run.js';
import { toyFleet } from './toy-fleet.js';

const never = new AbortController().signal;

/** One trial of a broadcast with these fleets. */
async function recordOf(fleets: (one: StartFleet) => StartFleet): Promise<TrialRecord> {
  const { parts } = aSimulatedRun({ scenario: broadcast, capacity: 100 });
  const records: TrialRecord[] = [];
  const sink = { ...aMemorySink(), writeTrial: async (record: TrialRecord) => void records.push(record) };
  const plan = aPlan({}, { measureMs: 6000, settleMs: 6000, pacePerSecond: 2 });
  const startFleet = fleets(parts.startFleet);
  await tryOnce(
    { plan: { ...plan, scenario: 'broadcast' }, scenario: broadcast },
    6,
    { ...parts, startFleet, sinks: [sink] },
    never,
  );
  const record = records.at(-1);
  if (!record) throw new Error('no trial was stored');
  return record;
}

test('a fleet over the fleets of three hosts gives what one host gives, at one pace, and each probe says where it is', async () => {
  const one = await recordOf((startFleet) => startFleet);
  const three = await recordOf((startFleet) => toyFleet(['a', 'b', 'c'].map((id) => ({ facts: { id }, startFleet }))));
  expect(three.probes.map(({ host }) => host)).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a']);
  expect(three.hosts?.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(three.probes.map(({ participant, join }) => [participant.id, join])).toEqual(
    one.probes.map(({ participant, join }) => [participant.id, join]),
  );
  const ups = ({ events }: TrialRecord) =>
    events.flatMap((event) => (event.type === 'probe-up' ? [[event.probe, event.atMs]] : []));
  expect(ups(three)).toEqual(ups(one));
  expect(three.streams.map(({ values }) => values)).toEqual(one.streams.map(({ values }) => values));
  expect(three.verdict).toEqual(one.verdict);
});
