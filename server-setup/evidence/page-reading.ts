import { cpuUse } from '../../host/cpu-use.js';
import type { ScrapedReading } from '../../model/evidence.js';
import type { SeriesGrowth } from './counter-rates.js';
import type { MetricSelector } from './metric-selector.js';
import type { MetricsPage } from './metrics-page.js';
import { ofSeveralHosts, partOf } from './page-part.js';
import { sum } from './process-resources.js';
import { type ScrapedPage, seriesOf } from './scraped-page.js';

const mb = 1024 * 1024;

/** The values of a reading, without when and whence. */
export type PageValues = Omit<ScrapedReading, 'atMs' | 'source' | 'failure' | 'unchanged'>;

const hostMetrics: ReadonlySet<string> = new Set([
  'node_cpu_seconds_total',
  'node_time_seconds',
  'node_memory_MemTotal_bytes',
  'node_memory_MemAvailable_bytes',
  'node_network_transmit_bytes_total',
  'node_network_receive_bytes_total',
  'node_network_speed_bytes',
]);
const partMetrics =
  /^(process_(cpu_seconds_total|resident_memory_bytes)|namedprocess_namegroup_(cpu_seconds_total|memory_bytes)|container_(cpu_usage_seconds_total|cpu_cfs_(throttled_)?periods_total|spec_cpu_(quota|period)|memory_(rss|working_set_bytes)|spec_memory_limit_bytes))$/;

/** Which series of a page are read at all. */
export function isWanted(name: string, asked: readonly MetricSelector[]): boolean {
  if (hostMetrics.has(name) || isKnownMetric(name) || partMetrics.test(name)) return true;
  return asked.some((one) => one.name === name);
}

/**
 * What a page says of the host, of the server's part, and of metrics asked by name. Unsaid is absent. A page of several
 * hosts, as a Prometheus federates them, says nothing of one.
 */
export function readPage(scraped: ScrapedPage): PageValues {
  const part = partOf(scraped);
  const ofHosts = ofSeveralHosts(scraped.page.series.filter(({ name }) => hostMetrics.has(name)));
  const nothing: Part<PageValues> = { values: {}, wentBack: false };
  const [cpu, network] = ofHosts ? [nothing, nothing] : [hostCpu(scraped), hostNetwork(scraped)];
  const named = namedValues(scraped);
  const { unclear: partUnclear = [], wentBack: partWentBack = false, ...partValues } = part;
  const unclear = [...(ofHosts ?? []), ...partUnclear];
  const back = partWentBack || cpu.wentBack || network.wentBack || named.wentBack;
  return {
    // Of several spans the host's is told, which comes last: all are of the same looks of exporters.
    ...network.values,
    ...partValues,
    ...cpu.values,
    ...(ofHosts ? {} : hostMemory(scraped.page)),
    ...(Object.keys(named.values).length > 0 ? { named: named.values } : {}),
    ...(unclear.length > 0 ? { unclear } : {}),
    ...(back ? { wentBack: true } : {}),
  };
}

interface Part<Values> {
  readonly values: Values;
  readonly wentBack: boolean;
}

/** Idle modes of node_cpu_seconds_total; disk waits are idle. What guests use is in "user" already. */
const idleModes: ReadonlySet<string | undefined> = new Set(['idle', 'iowait']);

/**
 * By the clock of the host itself, so that neither the time of the scrape nor an exporter that looks seldom comes into
 * the figure; where the page does not tell that, by all that the CPUs counted, which is too little on a host that is
 * woken often for a moment.
 */
function hostCpu({ page, rates, atMs }: ScrapedPage): Part<PageValues> {
  const series = seriesOf(page, 'node_cpu_seconds_total');
  const growth = rates.growth('node cpu', series, atMs);
  const clock = rates.growth('node time', seriesOf(page, 'node_time_seconds'), atMs);
  const hostCores = new Set(series.map(({ labels }) => labels.cpu)).size;
  if (growth.kind !== 'grown' || growth.by <= 0) return { values: {}, wentBack: growth.kind === 'went-back' };
  const counted = growth.by / hostCores;
  const elapsed = clock.kind === 'grown' && isLikely(counted / clock.by) ? clock.by : counted;
  const timeIn = (is: (mode: string | undefined) => boolean) =>
    sum(growth.each.filter((one) => is(one.series.labels.mode)).map(({ by }) => by));
  const idle = timeIn((mode) => idleModes.has(mode));
  const { busyCores, stolenCores } = cpuUse(hostCores, { idle, stolen: timeIn((mode) => mode === 'steal'), elapsed });
  const values = { spanMs: growth.ms, hostCores, hostBusyCores: busyCores, hostStolenCores: stolenCores };
  return { values, wentBack: false };
}

/** What a CPU counted of each second: a clock that was set in between makes it anything. */
const isLikely = (counted: number): boolean => counted > 0.5 && counted < 1.1;

function hostMemory(page: MetricsPage): PageValues {
  const [total] = seriesOf(page, 'node_memory_MemTotal_bytes');
  const [free] = seriesOf(page, 'node_memory_MemAvailable_bytes');
  return {
    ...(total && Number.isFinite(total.value) ? { hostMemoryMb: total.value / mb } : {}),
    ...(free && Number.isFinite(free.value) ? { hostMemoryAvailableMb: free.value / mb } : {}),
  };
}

/** What passes through these passes through a device of the host as well, or never leaves it. */
const disguises =
  /^(lo|veth.*|docker\d*|br-.*|virbr.*|cni.*|flannel.*|cali.*|tap.*|tun.*|wg.*|dummy.*|ifb.*|vxlan.*|lxc.*|podman\d*|kube-.*|nodelocaldns)$/;

/** Of the busiest device: a sum would count twice what a bond or a VLAN carries over another device. */
function hostNetwork({ page, rates, atMs }: ScrapedPage): Part<PageValues> {
  const own = (name: string) => seriesOf(page, name).filter(({ labels }) => !disguises.test(labels.device ?? ''));
  const speeds = new Map(own('node_network_speed_bytes').map(({ labels, value }) => [labels.device, value]));
  const ways = ['node_network_transmit_bytes_total', 'node_network_receive_bytes_total'] as const;
  const [sent, received] = ways.map((name) => rates.growth(name, own(name), atMs));
  const fullness = [sent, received].flatMap((way) =>
    way?.kind !== 'grown'
      ? []
      : way.each.flatMap(({ series, by }) => {
          const bytesPerSecond = speeds.get(series.labels.device) ?? 0;
          // -1, or nothing, where the device does not know: those of virtual machines.
          return bytesPerSecond > 0 && Number.isFinite(bytesPerSecond)
            ? (100 * by * 1000) / way.ms / bytesPerSecond
            : [];
        }),
  );
  return {
    values: {
      ...(sent?.kind === 'grown' ? { spanMs: sent.ms, hostSentKbps: (8 * most(sent.each)) / sent.ms } : {}),
      ...(received?.kind === 'grown' ? { hostReceivedKbps: (8 * most(received.each)) / received.ms } : {}),
      ...(fullness.length > 0 ? { hostLinkPercent: Math.max(...fullness) } : {}),
    },
    wentBack: sent?.kind === 'went-back' || received?.kind === 'went-back',
  };
}

/** Several series of a name are added up. A counter is told by the page, or by its name where the page is silent. */
function namedValues({ page, rates, atMs, asked }: ScrapedPage): Part<Readonly<Record<string, number>>> {
  const values: Record<string, number> = {};
  let wentBack = false;
  const unasked = knownMetrics.filter((known) => asked.every(({ name }) => name !== known.name));
  for (const { text, name, labels } of [...asked, ...unasked]) {
    const series = seriesOf(page, name, labels);
    if (page.counters.has(name) || (name.endsWith('_total') && !page.noCounters.has(name))) {
      const growth = rates.growth(`named ${text}`, series, atMs);
      if (growth.kind === 'grown') values[text] = (1000 * growth.by) / growth.ms;
      wentBack ||= growth.kind === 'went-back';
    } else if (series.length > 0 && series.every(({ value }) => Number.isFinite(value))) {
      values[text] = sum(series.map(({ value }) => value));
    }
  }
  return { values, wentBack };
}

function most(each: readonly SeriesGrowth[]): number {
  return Math.max(...each.map(({ by }) => by));
}

/** What media servers say of themselves, by server: how much of what they carry, and bytes where they only grow. */
const knownNames = {
  mediamtx: ['paths', 'webrtc_sessions'],
  livekit: ['livekit_room_total', 'livekit_participant_total', 'livekit_packet_bytes'],
  srs: ['srs_streams', 'srs_clients', 'srs_send_bytes_total', 'srs_receive_bytes_total'],
} as const;

const names: readonly string[] = Object.values(knownNames).flat();
const nameSet: ReadonlySet<string> = new Set(names);

function isKnownMetric(name: string): boolean {
  return nameSet.has(name);
}

/** Curves of their own wherever a page has them, without being asked for. */
const knownMetrics: readonly MetricSelector[] = names.map((name) => ({ text: name, name, labels: {} }));
