/**
 * What a viewer of a broadcast costs: CPU and memory (PSS) of the probes on the embedded server, in one run. A row is
 * KIND:VIEWERS; of native rows the processes of the native probes alone are counted, the presenter among them and four
 * browsers beside them, and of others all browsers. Usage: node dist/bench/viewers.js [ROW,ROW,...] [SECONDS]. Needs a
 * quiet machine.
 */
import { cpus } from 'node:os';
import { argv, env } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { readTreesPss } from '../host/process-memory.js';
import type { ProbeHostReading } from '../model/evidence.js';
import { findChromium } from '../probes/chromium/find-chromium.js';
import type { StartFleet } from '../probes/fleet.js';
import { castBy, mixedFleets } from '../probes/mixed-fleet.js';
import { startNativeFleet } from '../probes/native/native-player.js';
import { broadcast } from '../scenarios/broadcast.js';
import { onCallStage } from './stage/call-stage.js';
import { numberAt } from './stage/number-at.js';
import { onOwnServer } from './stage/own-server.js';
import { isPlayed, type Played, playedBy } from './stage/played-by.js';
import { mean, metric, perSecond, settleMs, watchFor } from './stage/readings.js';

const sentinels = 4;
const usualRows = 'full:4,encoded:20,native:34,native:104';

interface Row {
  readonly kind: Played;
  readonly viewers: number;
}

async function measureRow(chromiumPath: string, { kind, viewers }: Row, seconds: number): Promise<void> {
  const ofNative: ProbeHostReading[] = [];
  const options = { chromiumPath, scenario: broadcast, size: viewers, probesPerPage: 64, pagesPerBrowser: 4 };
  const through = (start: StartFleet): StartFleet =>
    mixedFleets({ browsers: start, native: rememberingNative(ofNative) }, castBy({ kind: 'native', sentinels }));
  const more = kind === 'native' ? { through } : playedBy[kind];
  await onOwnServer({ onJanus: false, videoKbps: 500 }, (server) =>
    onCallStage({ ...options, server, ...more }, async (stage) => {
      await sleep(settleMs);
      const fromMs = Date.now();
      const { host, server: serving, samples, pssMb } = await watchFor(seconds, stage);
      const counted = kind === 'native' ? ofNative.filter(({ atMs }) => atMs > fromMs + 1000) : host;
      // The presenter is native, too.
      const counting = kind === 'native' ? viewers + 1 - sentinels : viewers;
      const cores = mean(counted.map(({ probeCores }) => probeCores));
      const memory = kind === 'native' ? await readTreesPss((one) => one.endsWith('native-worker.js')) : pssMb;
      const ids = new Set(stage.records().flatMap(({ native, participant }) => (native ? [participant.id] : [])));
      const own = kind === 'native' ? samples.filter(({ probe }) => ids.has(probe)) : samples;
      const up = stage.records().filter((record) => record.up && record.failures.length === 0).length;
      const cells = [
        `${counting} ${kind}${up === viewers + 1 ? '' : ` (${up} of ${viewers + 1} up)`}`,
        (cores / counting).toFixed(4),
        (memory / counting).toFixed(1),
        (mean(serving.flatMap(({ cpuCores }) => cpuCores ?? [])) / viewers).toFixed(4),
        perSecond(own, metric('receive', 'video', 'framesDecoded')).toFixed(1),
        perSecond(own, metric('receive', 'video', 'packetsLost')).toFixed(2),
        ((perSecond(own, metric('receive', 'video', 'bytesReceived')) * 8) / 1000).toFixed(0),
        mean(host.map(({ busyCores }) => busyCores)).toFixed(2),
        Math.max(0, ...own.map(({ lateMs }) => lateMs)).toFixed(0),
      ];
      console.log(`| ${cells.join(' | ')} |`);
    }),
  );
}

/** Native fleets whose readings are kept: the mixed fleet tells the host's with the browsers' in them. */
function rememberingNative(readings: ProbeHostReading[]): StartFleet {
  return (options, listener) => {
    const fleet = startNativeFleet(options, listener);
    return {
      join: (...join) => fleet.join(...join),
      hosts: () => fleet.hosts(),
      records: () => fleet.records(),
      leave: () => fleet.leave(),
      close: () => fleet.close(),
      readHosts: async () => {
        const read = await fleet.readHosts();
        readings.push(...read);
        return read;
      },
    };
  };
}

const rows = (argv[2] || usualRows).split(',').map((text): Row => {
  const [kind = '', viewers] = text.split(':');
  if (!isPlayed(kind) || !Number(viewers)) throw new Error(`a row is KIND:VIEWERS, not ${text}`);
  return { kind, viewers: Number(viewers) };
});
const seconds = numberAt(3, 'SECONDS', 15);
const found = await findChromium({ env });
if (!found) throw new Error('no Chromium was found');
console.log(`Chromium ${found.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'cpu'}, ${seconds} s per row\n`);
console.log(
  '| viewers | cores each | MiB each | server cores each | fps | lost/s | kbit/s | host busy cores | latest ms |',
);
console.log(`|${'---|'.repeat(9)}`);
for (const row of rows) await measureRow(found.path, row, seconds);
