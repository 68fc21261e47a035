import { expect, test } from '@playwright/test';
import type { ProbeRecord } from '../model/trial.js';
import type { Fleet } from '../probes/fleet.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { aPlan, aSimulatedRun, startMs } from '../tests/simulated-run.js';
import { findLimit } from './find-limit.js';

/** A fleet of which one browser did not come up, so that nobody joins. */
function withoutBrowsers(fleet: Fleet): Fleet {
  let failed: readonly ProbeRecord[] = [];
  return {
    join: async (participants) => {
      failed = participants.map((participant) => {
        const detail = 'browser 0 did not come up, begun twice: Timeout 20000ms exceeded';
        const failure = { probe: participant.id, code: 'browser-start', atMs: startMs, detail } as const;
        return { participant, browser: 0, page: 0, up: false, join: {}, failures: [failure] };
      });
    },
    hosts: () => fleet.hosts(),
    records: () => failed,
    readHosts: async () => [],
    leave: () => fleet.leave(),
    close: () => fleet.close(),
  };
}

test('a trial whose browsers did not come up is void and tried again, and the search goes on to its answer', async () => {
  const { parts } = aSimulatedRun({ capacity: 2 });
  let fleets = 0;
  const startFleet: typeof parts.startFleet = (options, listener) => {
    fleets += 1;
    const fleet = parts.startFleet(options, listener);
    return fleets === 3 ? withoutBrowsers(fleet) : fleet;
  };
  const plan = aPlan({ max: 16 }, { measureMs: 6000, settleMs: 12_000 });
  const result = await findLimit({ plan, scenario: oneToOne }, { ...parts, startFleet }, new AbortController().signal);
  expect(result).toMatchObject({ outcome: 'found', limit: { stable: 2, unstable: 3 } });
  const [, , third, fourth] = result.trials;
  expect(third?.verdict).toBe('void');
  expect(new Set(third?.reasons.map(({ code }) => code))).toEqual(new Set(['browser-start']));
  expect(fourth).toMatchObject({ size: third?.size, verdict: 'unstable' });
});
