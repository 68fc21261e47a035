/**
 * Whether probes of two kinds cost a media server's CPU the same: as many calls of either kind at the same time, each
 * kind on a server of its own, so that both servers have the same noise of the same host; which comes first alternates.
 * With flags of `loadline serve`, all probes are encoded, and what is compared is a server without and one with these
 * flags. Usage: node dist/bench/server-cost.js [ROUNDS [CALLS [SECONDS [KIND KIND] [janus] [apart] [per-page=N] [FLAG
 * …]]]], CALLS of each kind; KIND is full, encoded or native, and with "janus" the servers are Debian's instead of
 * embedded ones. With "apart" (as root) both servers are on a core of their own, and do not do the receiving of what
 * they send, as if the probes were on another host. Needs a quiet machine.
 */
import { argv, env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { findChromium } from '../probes/chromium/find-chromium.js';
import { onConnections } from '../scenarios/on-connections.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { onServerCore, setApart } from './stage/apart.js';
import { failOfProbe, onCallStage } from './stage/call-stage.js';
import { numberAt } from './stage/number-at.js';
import { onOwnServer } from './stage/own-server.js';
import { isPlayed, type Played, playedBy } from './stage/played-by.js';
import { mean, metric, perSecond, type Watched, watchFor } from './stage/readings.js';

const settleMs = 20_000;
const usualPerPage = 8;
const perPage = 'per-page=';
/** So that the other kind's joins, which cost a server most, are over as well before either is measured. */
const bothUpWithinMs = 10_000;

interface Cost {
  readonly coresPerProbe: number;
  readonly sentKbps: number;
  readonly receivedFps: number;
  readonly hostBusyCores: number;
}

interface Calls {
  readonly chromiumPath: string;
  readonly onJanus: boolean;
  readonly calls: number;
  readonly seconds: number;
}

interface Kind {
  readonly name: string;
  readonly played: Played;
  readonly imitating: readonly string[];
}

interface Pair<Of> {
  readonly one: Of;
  readonly other: Of;
}

/** Joins calls of one kind on a server of their own; `atMs` (`performance.now`) is when to measure. */
async function cost(
  { chromiumPath, onJanus, calls, seconds }: Calls,
  { played, imitating }: Kind,
  atMs: number,
): Promise<Cost> {
  const inFront = isApart ? onServerCore : [];
  return onOwnServer({ onJanus, videoKbps: 500, inFront, imitating }, (server) => {
    const scenario = onJanus ? onConnections(oneToOne, 'each') : oneToOne;
    const stage = { chromiumPath, server, scenario, size: calls, probesPerPage, pagesPerBrowser: 4 };
    return onCallStage({ ...stage, ...playedBy[played] }, async (on) => {
      await sleep(Math.max(0, atMs - performance.now()));
      failOfProbe(on, played);
      return costOf(await watchFor(seconds, on), on.probes);
    });
  });
}

function costOf({ server, host, samples }: Watched, probes: number): Cost {
  return {
    coresPerProbe: mean(server.flatMap(({ cpuCores }) => cpuCores ?? [])) / probes,
    sentKbps: (perSecond(samples, metric('send', 'video', 'bytesSent')) * 8) / 1000,
    receivedFps: perSecond(samples, metric('receive', 'video', 'framesDecoded')),
    hostBusyCores: mean(host.map(({ busyCores }) => busyCores)),
  };
}

async function round(calls: Calls, { one, other }: Pair<Kind>, otherFirst: boolean): Promise<Pair<Cost>> {
  const atMs = performance.now() + bothUpWithinMs + settleMs;
  const first = cost(calls, otherFirst ? other : one, atMs);
  await sleep(bothUpWithinMs / 2);
  const costs = await Promise.all([first, cost(calls, otherFirst ? one : other, atMs)]);
  const [a, b] = costs;
  return otherFirst ? { one: b, other: a } : { one: a, other: b };
}

const [rounds, calls, seconds] = [numberAt(2, 'ROUNDS', 10), numberAt(3, 'CALLS', 1), numberAt(4, 'SECONDS', 30)];
const words = argv.slice(5);
const onJanus = words.includes('janus');
const isApart = words.includes('apart');
const probesPerPage = Number(words.find((word) => word.startsWith(perPage))?.slice(perPage.length) ?? usualPerPage);
const [first = 'full', second = 'encoded'] = words.filter(isPlayed);
const flags = words.filter(
  (word) => word !== 'janus' && word !== 'apart' && !word.startsWith(perPage) && !isPlayed(word),
);
const kinds: Pair<Kind> =
  flags.length === 0
    ? { one: { name: first, played: first, imitating: [] }, other: { name: second, played: second, imitating: [] } }
    : {
        one: { name: 'without', played: 'encoded', imitating: [] },
        other: { name: flags.join(' '), played: 'encoded', imitating: flags },
      };
const found = await findChromium({ env });
if (!found) throw new Error('no Chromium was found');
const { one, other } = kinds;
console.log(`Chromium ${found.version}, ${2 * calls} probes of each kind at the same time, ${seconds} s a round\n`);
console.log(
  `| joined first | ${one.name} | ${other.name} | difference | sent kbit/s | received fps | host busy cores |`,
);
console.log('|---|---|---|---|---|---|---|');
const differences: number[] = [];
const totals = { one: 0, other: 0 };
if (isApart) await setApart();
for (let index = 0; index < rounds; index += 1) {
  const otherFirst = index % 2 === 1;
  const costs = await round({ chromiumPath: found.path, onJanus, calls, seconds }, kinds, otherFirst);
  totals.one += costs.one.coresPerProbe;
  totals.other += costs.other.coresPerProbe;
  const difference = percent(costs.one.coresPerProbe, costs.other.coresPerProbe);
  differences.push(difference);
  const both = (of: (cost: Cost) => number, digits: number): string =>
    `${of(costs.one).toFixed(digits)}, ${of(costs.other).toFixed(digits)}`;
  console.log(
    `| ${otherFirst ? other.name : one.name} | ${costs.one.coresPerProbe.toFixed(4)} | ${costs.other.coresPerProbe.toFixed(4)} | ${difference.toFixed(1)} % | ${both(({ sentKbps }) => sentKbps, 0)} | ${both(({ receivedFps }) => receivedFps, 1)} | ${costs.one.hostBusyCores.toFixed(2)} |`,
  );
}
const average = mean(differences);
const variance = differences.reduce((sum, each) => sum + (each - average) ** 2, 0) / Math.max(1, rounds - 1);
console.log(
  `\nServer cores per probe: ${one.name} ${(totals.one / rounds).toFixed(4)}, ${other.name} ${(totals.other / rounds).toFixed(4)}, ${percent(totals.one, totals.other).toFixed(1)} %; mean of the rounds' differences ${average.toFixed(1)} %, standard error ${Math.sqrt(variance / rounds).toFixed(1)}.`,
);

function percent(from: number, to: number): number {
  return (100 * (to - from)) / from;
}
