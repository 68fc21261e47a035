/**
 * What it costs to play probes over the bus instead of in the tool's own process: the same calls of encoded probes on an embedded server,
 * first one way, then the other, in turn. Counted is everything but the media server: browsers, this process, which holds conductor
 * and agent, and the nats-server. Usage: node dist/bench/bus-cost.js [ROUNDS [CALLS [SECONDS]]]. Needs a quiet machine.
 */
import { argv, cpuUsage, env, execPath } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startLocalBus } from '../cli/hosts/local-bus.js';
import { sharesOfOne } from '../model/calibration.js';
import { findChromium } from '../probes/chromium/find-chromium.js';
import type { StartFleet } from '../probes/fleet.js';
import { startAgent } from '../probes/hosts/agent.js';
import { HostPool } from '../probes/hosts/host-pool.js';
import { hostFleets } from '../probes/hosts/hosts-fleet.js';
import { openNatsBus } from '../probes/hosts/nats-bus.js';
import { wireFormat } from '../probes/hosts/wire.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { embeddedServer, steadyHeapFlags } from '../server-setup/embedded/embedded-process.js';
import { benchBuild } from './stage/bus-hosts.js';
import { onCallStage } from './stage/call-stage.js';
import { childOf, cpuSecondsOf } from './stage/process-use.js';
import { mean, watchFor } from './stage/readings.js';

const settleMs = 15_000;
const probesPerPage = 8;
const [rounds = 3, calls = 4, seconds = 20] = argv.slice(2).map(Number);

/** Cores per probe. */
interface Cost {
  readonly browsers: number;
  readonly tool: number;
  readonly bus: number;
}

interface Way {
  readonly name: string;
  readonly through?: (startFleet: StartFleet) => StartFleet;
  /** CPU that the bus has used, seconds. */
  readonly busSeconds: () => Promise<number>;
}

async function costOf(chromiumPath: string, { through, busSeconds }: Way): Promise<Cost> {
  const command = [execPath, ...steadyHeapFlags, fileURLToPath(new URL('../loadline.js', import.meta.url))];
  const server = embeddedServer({ command, record: false, imitating: [] });
  try {
    const stage = { chromiumPath, server, scenario: oneToOne, size: calls, probesPerPage, pagesPerBrowser: 4 };
    const more = { encoded: { fullShare: 0 }, ...(through ? { through } : {}) };
    return await onCallStage({ ...stage, ...more }, async (on) => {
      await sleep(settleMs);
      const [used, bus, beganMs] = [cpuUsage(), await busSeconds(), performance.now()];
      const { host } = await watchFor(seconds, on);
      const { user, system } = cpuUsage(used);
      const tookSeconds = (performance.now() - beganMs) / 1000;
      return {
        browsers: mean(host.map(({ probeCores }) => probeCores)) / on.probes,
        tool: (user + system) / 1e6 / tookSeconds / on.probes,
        bus: ((await busSeconds()) - bus) / tookSeconds / on.probes,
      };
    });
  } finally {
    await server.stop();
  }
}

interface OnBus {
  readonly way: Way;
  close(): Promise<void>;
}

/** One agent in this process, and a conductor of it, with a nats-server between them. */
async function onBus(chromiumPath: string): Promise<OnBus> {
  const local = await startLocalBus(env);
  const [hostBus, bus] = await Promise.all(
    ['host', 'conductor'].map((name) => openNatsBus({ url: local.url, token: local.token, name })),
  );
  if (!hostBus || !bus) throw new Error('there is no bus');
  let playing: StartFleet | undefined;
  const { build, version, chromium } = benchBuild;
  const boot = 'here';
  const agent = startAgent({
    bus: hostBus,
    offer: { instance: 'bench', name: 'bench', wireFormat, build, version, chromium, cores: 1, memoryMb: 1, boot },
    memoryFreeMb: async () => undefined,
    startFleet: (options, listener) => {
      if (!playing) throw new Error('nothing is to be played');
      return playing(options, listener);
    },
    chromiumPath,
    now: Date.now,
    say: () => undefined,
  });
  const wanted = { build, version, boot };
  const pool = await HostPool.open({ bus, by: 'the bench', wanted, spread: 'even', probes: sharesOfOne('encoded') });
  const pid = await childOf(local.pid ?? 0);
  return {
    way: {
      name: 'over the bus',
      through: (startFleet) => {
        playing = startFleet;
        return hostFleets(pool);
      },
      busSeconds: () => cpuSecondsOf(pid),
    },
    close: async () => {
      await pool.close();
      await agent.close('the bench is over');
      await Promise.all([hostBus.close(), bus.close()]);
      await local.close();
    },
  };
}

const found = await findChromium({ env });
if (!found) throw new Error('no Chromium was found');
const bus = await onBus(found.path);
const ways: readonly Way[] = [{ name: 'in process', busSeconds: async () => 0 }, bus.way];
const costs = new Map<Way, Cost[]>(ways.map((way) => [way, []]));
try {
  for (let round = 0; round < rounds; round += 1) {
    for (const way of round % 2 === 0 ? ways : [...ways].reverse()) {
      costs.get(way)?.push(await costOf(found.path, way));
    }
  }
} finally {
  await bus.close();
}
console.log(
  `${calls} calls of encoded probes, ${rounds} rounds of ${seconds} s; cores per probe, mean (each round's total)`,
);
console.log('| | browsers | the tool | the bus | together |');
console.log('|---|---|---|---|---|');
for (const [{ name }, each] of costs) {
  const totals = each.map(({ browsers, tool, bus: ofBus }) => browsers + tool + ofBus);
  const parts = [
    mean(each.map((one) => one.browsers)),
    mean(each.map((one) => one.tool)),
    mean(each.map((one) => one.bus)),
  ];
  const cells = [
    ...parts.map((part) => part.toFixed(4)),
    `${mean(totals).toFixed(4)} (${totals.map((one) => one.toFixed(4)).join(', ')})`,
  ];
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
