/**
 * How many calls a cluster of 200 simulated servers holds under each placement, and how evenly: the largest number that counting
 * allows, and a trial of the real conductor and judge at it and at one more, with up to 10,000 probes in numbers only. Run with
 * `npm run build && node dist/bench/placement.js`; writes a table for docs/capacity.md to standard output.
 */
import { stdout } from 'node:process';
import { serverShares } from '../analysis/measure/placed-sessions.js';
import { spreadAmong } from '../analysis/statistics/spread.js';
import { numberNear } from '../analysis/wording/wording.js';
import { type PlacementName, placements } from '../model/placement.js';
import { planSchema } from '../model/plan.js';
import type { RunEvent } from '../model/run-event.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { ClusterServer, clusterName } from '../server-setup/cluster/cluster-server.js';
import { placementOf } from '../server-setup/cluster/placement.js';
import { simulatedParts } from '../simulation/simulated-parts.js';
import { simulatedCores } from '../simulation/simulated-server.js';
import { randomFrom } from '../tests/random.js';
import { tryOnce } from '../trial/find-limit.js';

const servers = 200;
const random = randomFrom(servers);
/** 25 calls of two probes on average: 10,000 probes. */
const capacities = Array.from({ length: servers }, () => 15 + Math.floor(21 * random()));
const sum = capacities.reduce((total, capacity) => total + capacity, 0);

/** The server of each call, until one would have one too many; each server tells at once how busy it is. */
function counted(name: PlacementName): readonly number[] {
  const place = placementOf(name);
  const counts = capacities.map(() => 0);
  for (let call = 1; ; call += 1) {
    const chosen = place(
      String(call),
      capacities.map((weight, nth) => ({ weight, sessions: counts[nth] ?? 0, busy: (counts[nth] ?? 0) / weight })),
    );
    if ((counts[chosen] ?? 0) + 1 > (capacities[chosen] ?? 0)) return counts;
    counts[chosen] = (counts[chosen] ?? 0) + 1;
  }
}

/** One trial of this size on the cluster: its verdict, and the calls of each server. */
async function tried(name: PlacementName, size: number) {
  const events: RunEvent[] = [];
  const simulated = simulatedParts({
    scenario: oneToOne,
    capacity: 1,
    seed: 7,
    startMs: 0,
    cluster: {
      capacities,
      asOne: (members, nowMs) =>
        new ClusterServer(
          members.map((server, nth) => ({
            name: clusterName(nth),
            weight: capacities[nth] ?? 1,
            server,
            busy: ({ cpuCores = 0 }) => cpuCores / simulatedCores,
          })),
          () => placementOf(name),
          nowMs,
        ),
    },
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
  const timing = { pacePerSecond: 200, settleMs: 1000, measureMs: 10_000, warmUp: false };
  const plan = planSchema.parse({ scenario: oneToOne.name, server: { kind: 'embedded' }, timing });
  await tryOnce(plan, oneToOne, size, parts, new AbortController().signal);
  const record = events.flatMap((event) => (event.type === 'trial-ended' ? [event.record] : [])).at(-1);
  return { verdict: record?.verdict.kind ?? 'none', shares: record ? serverShares(record) : [] };
}

stdout.write(
  '| placement | holds by counting | of the sum | trial at it | one call more | on a server | of its capacity, p95 − p5 | variation | Jain |\n|---|---:|---:|---|---|---|---:|---:|---:|\n',
);
for (const name of placements) {
  const exact = counted(name).reduce((total, count) => total + count, 0);
  const at = await tried(name, exact);
  const above = await tried(name, exact + 1);
  const counts = at.shares.map(({ sessions }) => sessions);
  const used = at.shares.map(({ server, sessions }) => {
    const nth = capacities.findIndex((_, index) => clusterName(index) === server);
    return sessions / (capacities[nth] ?? 1);
  });
  const spread = spreadAmong(used);
  stdout.write(
    `| \`${name}\` | ${exact} | ${numberNear((100 * exact) / sum)} % | ${at.verdict} | ${above.verdict} | ${Math.min(...counts)} to ${Math.max(...counts)} | ${numberNear(100 * (spread?.p95LessP5 ?? 0))} % | ${numberNear(100 * (spread?.variation ?? 0))} % | ${numberNear(spread?.jain ?? 0)} |\n`,
  );
}
stdout.write(`\nThe sum of the ${servers} servers is ${sum} calls.\n`);
