/**
 * How many calls a cluster of 200 simulated servers holds under each placement, and how evenly: the largest number that counting
 * allows, and (without `--count`) a trial of the real conductor and judge at it and at one more, with up to 10,000 probes in numbers only. Run with
 * `npm run build && node dist/bench/placement.js`; writes a table for docs/capacity.md to standard output.
 */
import { argv, stdout } from 'node:process';
import { spreadAmong } from '../analysis/statistics/spread.js';
import { numberNear } from '../analysis/wording/wording.js';
import { simulatedCluster } from '../cli/wiring/simulated-cluster.js';
import { clusterName, type PlacementName, placements } from '../model/placement.js';
import { planSchema } from '../model/plan.js';
import type { RunEvent } from '../model/run-event.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { placementOf } from '../server-setup/cluster/placement.js';
import { simulatedParts } from '../simulation/simulated-parts.js';
import { randomFrom } from '../tests/random.js';
import { tryOnce } from '../trial/find-limit.js';

const servers = 200;
const random = randomFrom(servers);
/** 25 calls of two probes on average: 10,000 probes. */
const capacities = Array.from({ length: servers }, () => 15 + Math.floor(21 * random()));
const sum = capacities.reduce((total, capacity) => total + capacity, 0);

/** A simulated probe host has eight cores, of which a probe takes a hundredth: with all on one, no failure would be the servers'. */
const probeHosts = Array.from({ length: 24 }, (_, nth) => ({ id: `probes-${nth + 1}` }));

/** The server of each call, until one would have one too many; each server tells at once how busy it is. */
function counted(name: PlacementName): readonly number[] {
  const place = placementOf(name);
  const counts = capacities.map(() => 0);
  for (let call = 1; ; call += 1) {
    const chosen = place(
      String(call),
      capacities.map((weight, nth) => ({
        name: clusterName(nth),
        weight,
        sessions: counts[nth] ?? 0,
        busy: (counts[nth] ?? 0) / weight,
      })),
    );
    if ((counts[chosen] ?? 0) + 1 > (capacities[chosen] ?? 0)) return counts;
    counts[chosen] = (counts[chosen] ?? 0) + 1;
  }
}

/** The verdict of one trial of this size on the cluster. */
async function tried(name: PlacementName, size: number): Promise<string> {
  const events: RunEvent[] = [];
  const simulated = simulatedParts({
    scenario: oneToOne,
    capacity: 1,
    seed: 7,
    startMs: 0,
    cluster: simulatedCluster({ capacities, placement: name }),
    hosts: probeHosts,
  });
  const parts = {
    ...simulated,
    sinks: [],
    host: { cores: 64, cpuModel: 'none', memoryMb: 64_000, kernel: '', os: '', node: '' },
    chromium: { path: 'none', version: 'none' },
    runDirectory: '/dev/null/none',
    loadlineVersion: '0',
    command: ['loadline', 'simulate'],
    listener: (event: RunEvent) => void events.push(event),
  };
  const timing = { pacePerSecond: 1000, settleMs: 1000, measureMs: 10_000, warmUp: false };
  const plan = planSchema.parse({ scenario: oneToOne.name, server: { kind: 'embedded' }, timing });
  await tryOnce(plan, oneToOne, size, parts, new AbortController().signal);
  const record = events.flatMap((event) => (event.type === 'trial-ended' ? [event.record] : [])).at(-1);
  return record?.verdict.kind ?? 'none';
}

/** How evenly servers are used, of what each carries. */
function evenness(counts: readonly number[]): string {
  const spread = spreadAmong(counts.map((count, nth) => count / (capacities[nth] ?? 1)));
  const { p95LessP5 = 0, variation = 0, jain = 0 } = spread ?? {};
  return `${numberNear(100 * p95LessP5)} % | ${numberNear(100 * variation)} % | ${numberNear(jain)}`;
}

/** With --count nothing is conducted. */
const conducts = !argv.includes('--count');
const trialHeads = conducts ? ' trial at it | trial at one more |' : '';
stdout.write(
  `| placement | calls held, by counting | of the sum |${trialHeads} use of servers, p95 − p5 | variation | Jain |\n`,
);
stdout.write(`|---|---:|---:|${conducts ? '---|---|' : ''}---:|---:|---:|\n`);
for (const name of placements) {
  const counts = counted(name);
  const exact = counts.reduce((total, count) => total + count, 0);
  const trials = conducts ? ` ${await tried(name, exact)} | ${await tried(name, exact + 1)} |` : '';
  const share = numberNear((100 * exact) / sum);
  stdout.write(`| \`${name}\` | ${exact} | ${share} % |${trials} ${evenness(counts)} |\n`);
}
stdout.write(`\nThe sum of the ${servers} servers is ${sum} calls.\n`);
