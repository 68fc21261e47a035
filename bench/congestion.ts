/**
 * Whether encoded probes give way to congestion as full ones do: a call whose way to the server is narrowed for a while. Prints
 * what one sender sent, each second. Usage: node dist/bench/congestion.js [KBIT/S]. Needs a quiet machine.
 */
import { argv, env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { findChromium } from '../probes/find-chromium.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { startEmbeddedServer } from '../server-setup/embedded/server.js';
import { kurentoServer } from '../server-setup/kurento/kurento-server.js';
import { onCallStage } from './stage/call-stage.js';
import { narrowLink } from './stage/narrow-link.js';
import { metric } from './stage/readings.js';

const seconds = { free: 15, narrow: 20, after: 30 } as const;
const settleMs = 8_000;

/** kbit/s of sent video of the first probe, second by second. */
async function ratesOf(chromiumPath: string, encoded: boolean, kbps: number): Promise<readonly number[]> {
  const link = narrowLink();
  const embedded = await startEmbeddedServer({ port: 0 });
  const server = kurentoServer({ url: embedded.url });
  try {
    await server.start(new AbortController().signal);
    const stage = { chromiumPath, server, scenario: oneToOne, size: 1, probesPerPage: 2, pagesPerBrowser: 1 };
    return await onCallStage({ ...stage, ...(encoded ? { encoded: { fullShare: 0 } } : {}) }, async ({ samples }) => {
      await sleep(settleMs);
      const from = samples.length;
      await sleep(seconds.free * 1000);
      link.limit(kbps * 1000);
      await sleep(seconds.narrow * 1000);
      link.limit(undefined);
      await sleep(seconds.after * 1000);
      const own = samples.slice(from).filter(({ probe }) => probe === '1a');
      const bytes = metric('send', 'video', 'bytesSent');
      return own.map(
        ({ streams, intervalMs }) => (8 * Math.max(0, ...streams.map((one) => bytes(one) ?? 0))) / intervalMs,
      );
    });
  } finally {
    await server.stop();
    await embedded.close();
    link.close();
  }
}

/** Seconds from `start` until the rate is on this side of the bound for good, within the span. */
function settledAfter(rates: readonly number[], start: number, end: number, holds: (kbps: number) => boolean): string {
  const span = rates.slice(start, end);
  const last = span.findLastIndex((kbps) => !holds(kbps));
  return last === span.length - 1 ? 'never' : `${last + 1} s`;
}

const kbps = Number(argv[2] ?? 250);
const found = await findChromium({ env });
if (!found) throw new Error('no Chromium was found');
const [start, end] = [seconds.free, seconds.free + seconds.narrow];
console.log(
  `Chromium ${found.version}; the way to the server is held to ${kbps} kbit/s from second ${start} to ${end}\n`,
);
for (const encoded of [false, true]) {
  const rates = await ratesOf(found.path, encoded, kbps);
  console.log(`${encoded ? 'encoded' : 'full'}: ${rates.map((rate) => rate.toFixed(0)).join(' ')}`);
  const down = settledAfter(rates, start, end, (rate) => rate < 1.2 * kbps);
  const up = settledAfter(rates, end, rates.length, (rate) => rate > 400);
  console.log(`  under ${1.2 * kbps} kbit/s after ${down}; over 400 kbit/s again after ${up}\n`);
}
