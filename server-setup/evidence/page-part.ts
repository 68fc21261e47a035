import type { LimitReading, ScrapedReading } from '../../model/evidence.js';
import { given } from '../../model/given.js';
import { plainText } from '../../model/plain-text.js';
import type { MetricSelector } from './metric-selector.js';
import type { Series } from './metrics-page.js';
import { type ScrapedPage, seriesOf } from './scraped-page.js';

const mb = 1024 * 1024;

type PartValues = Pick<
  ScrapedReading,
  keyof LimitReading | 'part' | 'cpuCores' | 'spanMs' | 'memoryMb' | 'wentBack' | 'unclear'
>;

/**
 * CPU, memory and limits of the part of the host that is the server: a container (cAdvisor), a group of processes
 * (process-exporter), or the process behind the page. A page of many containers or groups does not say which of them it
 * is: then the user does, by the labels of a metric of that family (`--evidence-metric`), and until then nothing is
 * taken.
 */
export function partOf(scraped: ScrapedPage): PartValues {
  const { page } = scraped;
  if (page.names.has('container_cpu_usage_seconds_total')) return containerValues(scraped);
  if (page.names.has('namedprocess_namegroup_cpu_seconds_total')) return groupValues(scraped);
  // On the page of an exporter for a host these are the exporter's own, and nobody asked for them.
  return page.names.has('node_cpu_seconds_total') ? {} : processValues(scraped);
}

const cpuOfContainers = 'container_cpu_usage_seconds_total';

function containerValues(scraped: ScrapedPage): PartValues {
  const labels = labelsAsked(scraped.asked, 'container_');
  const found = containersAmong(seriesOf(scraped.page, cpuOfContainers, labels));
  // One control group, by its path: what a pod counts is in its containers again.
  const ids = new Set(found.map(({ labels: own }) => own.id));
  if (ids.size !== 1) return { unclear: [unclearText('containers', ids.size, cpuOfContainers, 'name')] };
  const [id] = ids;
  const own = { ...labels, ...(id === undefined ? {} : { id }) };
  const totals = found.filter((one) => one.labels.cpu === 'total');
  const cpu = cores(scraped, 'container cpu', totals.length > 0 ? totals : found);
  const [periods, throttled] = ['periods', 'throttled_periods'].map((what) =>
    scraped.rates.growth(what, seriesOf(scraped.page, `container_cpu_cfs_${what}_total`, own), scraped.atMs),
  );
  const first = (name: string) => firstValue(seriesOf(scraped.page, name, own));
  const quota = first('container_spec_cpu_quota');
  const period = first('container_spec_cpu_period');
  const memory = first('container_memory_rss') ?? first('container_memory_working_set_bytes');
  const limit = first('container_spec_memory_limit_bytes');
  const counted = periods?.kind === 'grown' && throttled?.kind === 'grown' && periods.by > 0;
  return {
    // In Kubernetes its name is a long number.
    part: plainText(`container ${found[0]?.labels.container || found[0]?.labels.name || id}`),
    ...cpu,
    ...(quota !== undefined && quota > 0 && period !== undefined && period > 0
      ? { cpuQuotaCores: quota / period }
      : {}),
    ...(counted ? { quotaPeriods: periods.by, throttledPeriods: Math.min(periods.by, throttled.by) } : {}),
    ...given({ memoryMb: memory && memory / mb }),
    // 0, or 2^63 less a page, where there is none.
    ...(limit !== undefined && limit > 0 && limit < 2 ** 50 ? { memoryLimitMb: limit / mb } : {}),
  };
}

/**
 * Without the control groups around containers, whose sums hold them again, and without what only keeps a pod's network
 * (the pause container). A page that names nothing is left as it is.
 */
function containersAmong(found: readonly Series[]): readonly Series[] {
  const isPause = ({ container, image = '' }: Series['labels']) =>
    container === 'POD' || /(^|[/-])pause(:|@|$)/.test(image);
  const named = found.filter(({ labels }) => (labels.container || labels.name) && !isPause(labels));
  // Where pods name their containers, what has no such name is no container of theirs.
  const inPods = named.filter(({ labels }) => labels.container);
  return inPods.length > 0 ? inPods : named.length > 0 ? named : found;
}

const cpuOfGroups = 'namedprocess_namegroup_cpu_seconds_total';

function groupValues(scraped: ScrapedPage): PartValues {
  const { groupname: asked } = labelsAsked(scraped.asked, 'namedprocess_namegroup_');
  const found = seriesOf(scraped.page, cpuOfGroups, asked === undefined ? {} : { groupname: asked });
  const ofHosts = ofSeveralHosts(found);
  if (ofHosts) return { unclear: ofHosts };
  const groups = new Set(found.map(({ labels }) => labels.groupname));
  if (groups.size !== 1)
    return { unclear: [unclearText('groups of processes', groups.size, cpuOfGroups, 'groupname')] };
  const [groupname = ''] = groups;
  const memory = firstValue(
    seriesOf(scraped.page, 'namedprocess_namegroup_memory_bytes', { groupname, memtype: 'resident' }),
  );
  return {
    part: plainText(`process group ${groupname}`),
    ...cores(scraped, 'group cpu', found),
    ...given({ memoryMb: memory && memory / mb }),
  };
}

/** Of client libraries of Prometheus: the process that serves the page, which may be an exporter beside the server. */
function processValues(scraped: ScrapedPage): PartValues {
  const cpu = seriesOf(scraped.page, 'process_cpu_seconds_total');
  const memory = firstValue(seriesOf(scraped.page, 'process_resident_memory_bytes'));
  if (cpu.length === 0 && memory === undefined) return {};
  const ofHosts = ofSeveralHosts(cpu);
  if (ofHosts) return { unclear: ofHosts };
  return {
    part: 'process that serves the page',
    ...cores(scraped, 'process cpu', cpu),
    ...given({ memoryMb: memory && memory / mb }),
  };
}

/** Why series say nothing of one host: by the label that a Prometheus adds, without the port of the exporter. */
export function ofSeveralHosts(series: readonly Series[]): readonly string[] | undefined {
  const hosts = new Set(series.flatMap(({ labels: { instance } }) => instance?.replace(/:\d+$/, '') ?? []));
  if (hosts.size < 2) return undefined;
  return [`it is of ${hosts.size} hosts; give a page of each, such as /federate?match[]={instance="…"}`];
}

function cores({ rates, atMs }: ScrapedPage, group: string, series: readonly Series[]): PartValues {
  const growth = rates.growth(group, series, atMs);
  if (growth.kind === 'went-back') return { wentBack: true };
  return growth.kind === 'grown' ? { cpuCores: (1000 * growth.by) / growth.ms, spanMs: growth.ms } : {};
}

function labelsAsked(asked: readonly MetricSelector[], family: string): Readonly<Record<string, string>> {
  return Object.assign({}, ...asked.filter(({ name }) => name.startsWith(family)).map(({ labels }) => labels));
}

function firstValue([first]: readonly Series[]): number | undefined {
  return first && Number.isFinite(first.value) ? first.value : undefined;
}

function unclearText(what: string, count: number, metric: string, label: string): string {
  const todo = `say which by --evidence-metric '${metric}{${label}="…"}'`;
  return count === 0
    ? `of the ${what} on it none has the labels that were asked for: ${todo}`
    : `it tells of ${count} ${what}, and not which of them is the server: ${todo}`;
}
