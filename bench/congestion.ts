/**
 * Whether encoded and native probes give way to congestion as full ones do: a call whose way to the server is narrowed
 * for a while. Prints what one sender aimed at and what it sent (with what it sent again), each second. Usage: node
 * dist/bench/congestion.js [KBIT/S [estimates|twcc|KIND …]]; KIND is full, encoded or native, without one all are; with
 * "estimates" the server follows estimates of links, as it does on impaired networks; with "twcc" senders are told when
 * their packets arrive. Needs a quiet machine.
 */
import { argv, env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedServer } from '../embedded-server/server.js';
import { castAs } from '../model/cast.js';
import { findChromium } from '../probes/chromium/find-chromium.js';
import type { StartFleet } from '../probes/fleet.js';
import { mixedFleets } from '../probes/mixed-fleet.js';
import { startNativeFleet } from '../probes/native/native-player.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { KurentoServer } from '../server-setup/kurento/kurento-server.js';
import { onCallStage } from './stage/call-stage.js';
import { narrowLink } from './stage/narrow-link.js';
import { numberAt } from './stage/number-at.js';
import { metric } from './stage/readings.js';

const seconds = { free: 15, narrow: 20, after: 30 } as const;
const settleMs = 8_000;

/** Of the first probe's video, kbit/s, second by second. */
interface Rates {
  readonly aimed: readonly number[];
  readonly sent: readonly number[];
}

/** Who sends; the other one of the call is full. */
const kinds = ['full', 'encoded', 'native'] as const;
type Kind = (typeof kinds)[number];

const playedBy = {
  full: {},
  encoded: { encoded: { fullShare: 0 } },
  native: {
    through: (start: StartFleet) =>
      mixedFleets({ browsers: start, native: startNativeFleet }, () => castAs('native', ['1a'])),
  },
} as const;

async function ratesOf(chromiumPath: string, kind: Kind, kbps: number): Promise<Rates> {
  const link = narrowLink();
  const embedded = await startEmbeddedServer({ port: 0, followEstimates, imitation: { congestion } });
  const server = new KurentoServer({ url: embedded.url });
  try {
    const stage = { chromiumPath, server, scenario: oneToOne, size: 1, probesPerPage: 2, pagesPerBrowser: 1 };
    return await onCallStage({ ...stage, ...playedBy[kind] }, async ({ samples }) => {
      await sleep(settleMs);
      const from = samples.length;
      await sleep(seconds.free * 1000);
      link.limit(kbps * 1000);
      await sleep(seconds.narrow * 1000);
      link.limit(undefined);
      await sleep(seconds.after * 1000);
      const own = samples.slice(from).filter(({ probe }) => probe === '1a');
      const [bytes, target] = [metric('send', 'video', 'bytesSent'), metric('send', 'video', 'targetKbps')];
      const most = (values: readonly (number | undefined)[]): number =>
        Math.max(0, ...values.map((value) => value ?? 0));
      return {
        aimed: own.map(({ streams }) => most(streams.map(target))),
        sent: own.map(({ streams, intervalMs }) => (8 * most(streams.map(bytes))) / intervalMs),
      };
    });
  } finally {
    await server.stop();
    await embedded.close();
    link.close();
  }
}

/** Seconds from `start` until the rate is on this side of the bound for the first time, within the span. */
function reachedAfter(rates: readonly number[], start: number, end: number, holds: (kbps: number) => boolean): string {
  const first = rates.slice(start, end).findIndex(holds);
  return first < 0 ? 'never' : `${first} s`;
}

const kbps = numberAt(2, 'KBIT/S', 250);
const followEstimates = argv.includes('estimates');
const congestion = argv.includes('twcc') ? 'twcc' : 'remb';
const found = await findChromium({ env });
if (!found) throw new Error('no Chromium was found');
const [start, end] = [seconds.free, seconds.free + seconds.narrow];
console.log(
  `Chromium ${found.version}; the way to the server is held to ${kbps} kbit/s from second ${start} to ${end}\n`,
);
const named = kinds.filter((kind) => argv.includes(kind));
for (const kind of named.length > 0 ? named : kinds) {
  const { aimed, sent } = await ratesOf(found.path, kind, kbps);
  console.log(`${kind}, aimed at: ${aimed.map((rate) => rate.toFixed(0)).join(' ')}`);
  console.log(`${kind}, sent: ${sent.map((rate) => rate.toFixed(0)).join(' ')}`);
  const down = reachedAfter(aimed, start, end, (rate) => rate < 1.2 * kbps);
  const up = reachedAfter(aimed, end, aimed.length, (rate) => rate > 400);
  console.log(`  aimed under ${1.2 * kbps} kbit/s after ${down}; over 400 kbit/s again after ${up}\n`);
}
