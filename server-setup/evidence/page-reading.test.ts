import { expect, test } from '@playwright/test';
import { CounterRates } from './counter-rates.js';
import { type MetricSelector, readMetricSelector } from './metric-selector.js';
import { readMetricsPage } from './metrics-page.js';
import { isWanted, type PageValues, readPage } from './page-reading.js';

/** Reads pages in turn, a second apart, as one exporter's. */
function readingsOf(pages: readonly string[], asked: readonly string[] = []): readonly PageValues[] {
  const selectors: readonly MetricSelector[] = asked.flatMap((text) => readMetricSelector(text) ?? []);
  const rates = new CounterRates();
  return pages.map((text, nth) => {
    const page = readMetricsPage(text, (name) => isWanted(name, selectors));
    return readPage({ page, rates, atMs: 1000 * nth, asked: selectors });
  });
}

/** As node_exporter writes a host of two CPUs. */
function nodePage({ idle = 0, user = 0, steal = 0, sent = 0, own = 0 }): string {
  return `# TYPE node_cpu_guest_seconds_total counter
node_cpu_guest_seconds_total{cpu="0",mode="user"} ${user}
# TYPE node_cpu_seconds_total counter
node_cpu_seconds_total{cpu="0",mode="idle"} ${1000 + idle}
node_cpu_seconds_total{cpu="0",mode="iowait"} 3
node_cpu_seconds_total{cpu="0",mode="steal"} ${steal}
node_cpu_seconds_total{cpu="0",mode="user"} ${500 + user}
node_cpu_seconds_total{cpu="1",mode="idle"} ${1000 + idle}
node_cpu_seconds_total{cpu="1",mode="user"} ${500 + user}
# TYPE node_memory_MemAvailable_bytes gauge
node_memory_MemAvailable_bytes 5.36870912e+08
node_memory_MemTotal_bytes 1.073741824e+09
# TYPE node_network_transmit_bytes_total counter
node_network_transmit_bytes_total{device="eth0"} ${1e6 + sent}
node_network_transmit_bytes_total{device="lo"} ${9e9 + 5 * sent}
node_network_receive_bytes_total{device="eth0"} 4
node_network_receive_bytes_total{device="lo"} 4
node_network_speed_bytes{device="eth0"} 1.25e+07
# TYPE process_cpu_seconds_total counter
process_cpu_seconds_total ${own}
process_resident_memory_bytes 2e+07
`;
}

test('of a host the page gives CPU, memory and network, and its first scrape no rate at all', () => {
  const [first, second] = readingsOf([nodePage({}), nodePage({ idle: 0.5, user: 0.4, steal: 0.2, sent: 1_250_000 })]);
  expect(first).toEqual({ hostMemoryMb: 1024, hostMemoryAvailableMb: 512 });
  expect(second?.hostCores).toBe(2);
  // Of 2.0 seconds of CPU that were counted 0.8 were work.
  expect(second?.hostBusyCores).toBeCloseTo(0.8, 9);
  expect(second?.hostStolenCores).toBeCloseTo(0.2, 9);
  expect(second?.hostSentKbps).toBeCloseTo(10_000, 6);
  expect(second?.hostLinkPercent).toBeCloseTo(10, 9);
  expect(second?.spanMs).toBe(1000);
});

test('a page that a Prometheus federates of two hosts says nothing of one, and of two exporters of a host all', () => {
  const of = (page: string, instance: string) =>
    page.replaceAll(/^(\w+)\{/gm, `$1{instance="${instance}",`).replaceAll(/^(\w+) /gm, `$1{instance="${instance}"} `);
  const at = (busy: number, idle: number, other: string) =>
    of(nodePage({ user: busy }), 'a:9100') + of(nodePage({ idle, own: idle }), other);
  const [, two] = readingsOf([at(0, 0, 'b:9100'), at(1, 1, 'b:9100')]);
  expect(Object.keys(two ?? {})).toEqual(['unclear']);
  expect(two?.unclear?.[0]).toContain('2 hosts');
  const beside = (own: number) =>
    `namedprocess_namegroup_cpu_seconds_total{instance="a:9256",groupname="sfu"} ${own}\n`;
  const page = (busy: number) => of(nodePage({ user: busy }), 'a:9100') + beside(busy);
  const [, one] = readingsOf([page(0), page(1)]);
  expect(one).toMatchObject({ hostCores: 2, hostBusyCores: 2, cpuCores: 1 });
});

test('the exporter of a host counts its own process, which is not taken for the server', () => {
  const [, second] = readingsOf([nodePage({ own: 1 }), nodePage({ own: 2, idle: 1 })]);
  expect(second?.cpuCores).toBeUndefined();
  expect(second?.memoryMb).toBeUndefined();
});

test('a counter that goes back gives a gap and says so, and the next scrape is compared with it', () => {
  const readings = readingsOf([
    nodePage({ idle: 50, user: 50 }),
    nodePage({ idle: 1, user: 1 }),
    nodePage({ idle: 1.5, user: 1.5 }),
  ]);
  expect(readings[1]?.hostBusyCores).toBeUndefined();
  expect(readings[1]?.wentBack).toBe(true);
  expect(readings[2]?.hostBusyCores).toBeCloseTo(1, 9);
});

test('CPU is a share of what the host counted, so that an exporter that looks seldom tells no other figure', () => {
  const pages = [nodePage({}), nodePage({}), nodePage({ idle: 1, user: 1 })];
  expect(readingsOf(pages).map((one) => one.hostBusyCores)).toEqual([undefined, undefined, 1]);
});

test('busy is what was not idle by the clock of the host, where its page tells that and it was not set in between', () => {
  const clocked = (atSeconds: number, cpu: Parameters<typeof nodePage>[0]) =>
    `node_time_seconds ${1_795_000_000 + atSeconds}\n${nodePage(cpu)}`;
  const pages = [
    clocked(0, {}),
    // Of 2.0 seconds of CPU 1.5 were counted: 0.6 as idle, 0.4 as stolen and 0.5 as work.
    clocked(1, { idle: 0.3, user: 0.25, steal: 0.4 }),
    clocked(2, { idle: 1.3, user: 0.25, steal: 0.4 }),
    // The clock was set: shares of the 1.2 that were counted, of which half were idle.
    clocked(62, { idle: 1.6, user: 0.55, steal: 0.4 }),
    clocked(0, { idle: 1.9, user: 0.85, steal: 0.4 }),
  ];
  const [, ...read] = readingsOf(pages);
  const busy = read.map((one) => one.hostBusyCores ?? Number.NaN);
  for (const [nth, cores] of [1, 0, 1, 1].entries()) expect(busy[nth]).toBeCloseTo(cores, 6);
  expect(read[0]?.hostStolenCores).toBeCloseTo(0.4, 6);
  expect(read.some(({ wentBack }) => wentBack)).toBe(false);
});

const container = (name: string, cpu: number, throttled: number, atMs: number, quota = 90_000) => {
  const labels = `{id="/docker/${name}",image="kms:7",name="${name}"`;
  return `container_cpu_usage_seconds_total${labels},cpu="total"} ${cpu} ${atMs}
container_cpu_cfs_periods_total${labels}} ${10 * cpu} ${atMs}
container_cpu_cfs_throttled_periods_total${labels}} ${throttled} ${atMs}
container_spec_cpu_quota${labels}} ${quota}
container_spec_cpu_period${labels}} 100000
container_memory_rss${labels}} 3.145728e+08 ${atMs}
container_spec_memory_limit_bytes${labels}} 9.223372036854772e+18
`;
};

test('of one container CPU, its quota and how often it was used up are read by the times that the page gives', () => {
  const [, second, third] = readingsOf([
    container('kms', 10, 5, 5000),
    container('kms', 10, 5, 5000),
    container('kms', 12, 13, 15_000),
  ]);
  expect(second?.cpuCores).toBeUndefined();
  expect(third).toMatchObject({ part: 'container kms', cpuQuotaCores: 0.9, quotaPeriods: 20, throttledPeriods: 8 });
  // 2 s of CPU in the 10 s between the looks of the exporter, whatever the scrapes were apart.
  expect(third?.cpuCores).toBeCloseTo(0.2, 9);
  expect([second?.spanMs, third?.spanMs]).toEqual([undefined, 10_000]);
  expect(third?.memoryMb).toBe(300);
  expect(third?.memoryLimitMb).toBeUndefined();
});

test('of several containers none is taken until the user says which, and a pod is not added to its containers', () => {
  const pages = [0, 1].map((n) => container('a', n, 0, 1000 * n) + container('b', 2 * n, 0, 1000 * n));
  const [, unclear] = readingsOf(pages);
  expect(unclear?.cpuCores).toBeUndefined();
  expect(unclear?.unclear?.[0]).toContain('2 containers');
  const [, chosen] = readingsOf(pages, ['container_cpu_usage_seconds_total{name="b"}']);
  expect(chosen).toMatchObject({ part: 'container b', cpuCores: 2 });
  const [, both] = readingsOf(pages, ['container_cpu_usage_seconds_total{image="kms:7"}']);
  expect(both?.cpuCores).toBeUndefined();
});

const group = (name: string, seconds: number) => `# TYPE namedprocess_namegroup_cpu_seconds_total counter
namedprocess_namegroup_cpu_seconds_total{groupname="${name}",mode="system"} ${seconds}
namedprocess_namegroup_cpu_seconds_total{groupname="${name}",mode="user"} ${2 * seconds}
namedprocess_namegroup_memory_bytes{groupname="${name}",memtype="resident"} 1.048576e+07
namedprocess_namegroup_memory_bytes{groupname="${name}",memtype="virtual"} 9e+09
`;

test('of a group of processes CPU is that of user and kernel together, and memory the resident one', () => {
  const [, second] = readingsOf([group('janus', 1), group('janus', 1.1)]);
  expect(second?.part).toBe('process group janus');
  expect(second?.cpuCores).toBeCloseTo(0.3, 9);
  expect(second?.memoryMb).toBe(10);
  const two = [1, 2].map((seconds) => group('janus', seconds) + group('nginx', seconds));
  expect(readingsOf(two)[1]?.unclear?.[0]).toContain('2 groups');
  expect(readingsOf(two, ['namedprocess_namegroup_cpu_seconds_total{groupname="janus"}'])[1]?.cpuCores).toBeCloseTo(
    3,
    9,
  );
});

test('a page of a process alone is of that process, and is called so', () => {
  const [, second] = readingsOf(['process_cpu_seconds_total 4\n', 'process_cpu_seconds_total 4.5\n']);
  expect(second).toMatchObject({ part: 'process that serves the page', cpuCores: 0.5 });
});

test('metrics asked for by name are growth per second where they count, and values where they do not', () => {
  const page = (n: number) => `# TYPE janus_sessions gauge
janus_sessions{a="1"} 3
janus_sessions{a="2"} 4
packets_total{way="in"} ${100 * n}
packets_total{way="out"} ${7 * n}
`;
  const asked = ['janus_sessions', 'packets_total{way="in"}', 'nowhere'];
  const [first, second] = readingsOf([page(0), page(2)], asked);
  expect(first?.named).toEqual({ janus_sessions: 7 });
  expect(second?.named).toEqual({ janus_sessions: 7, 'packets_total{way="in"}': 200 });
});

test('a counter that joins or leaves its group gives no rate: its growth before is not known', () => {
  const [, joined, after] = readingsOf(
    ['x_total{a="1"} 5\n', 'x_total{a="1"} 6\nx_total{a="2"} 900\n', 'x_total{a="1"} 7\nx_total{a="2"} 901\n'],
    ['x_total'],
  );
  expect(joined?.named).toBeUndefined();
  expect(after?.named).toEqual({ x_total: 2 });
});

/** As the kubelet writes a pod: its sum, its pause container, and the one that the server is. */
const podPage = (cpu: number): string => `# TYPE container_cpu_usage_seconds_total counter
container_cpu_usage_seconds_total{container="",cpu="total",id="/",image="",name="",namespace="",pod=""} ${2506 + cpu} 1649443984921
container_cpu_usage_seconds_total{container="",cpu="total",id="/kubepods/besteffort/podb9",image="",name="",namespace="media",pod="janus-0"} ${71.2 + cpu} 1649443985542
container_cpu_usage_seconds_total{container="",cpu="total",id="/kubepods/besteffort/podb9/c4",image="docker.io/rancher/mirrored-pause:3.6",name="c4",namespace="media",pod="janus-0"} 0.02 1649443985100
container_cpu_usage_seconds_total{container="janus",cpu="total",id="/kubepods/besteffort/podb9/ef",image="docker.io/example/janus:1.2",name="ef",namespace="media",pod="janus-0"} ${71.1 + cpu} ${1649443980542 + 2000 * cpu}
container_spec_memory_limit_bytes{container="janus",id="/kubepods/besteffort/podb9/ef",image="docker.io/example/janus:1.2",name="ef",namespace="media",pod="janus-0"} 0
container_spec_memory_limit_bytes{container="",id="/",image="",name="",namespace="",pod=""} 9.223372036854771712e+18
`;

test('of a pod the container of the server is taken: not the sum of the pod, and not its pause container', () => {
  for (const asked of [[], ['container_cpu_usage_seconds_total{pod="janus-0"}']]) {
    const [first, second] = readingsOf([podPage(0), podPage(0.5)], asked);
    expect(first?.part).toBe('container janus');
    expect(second?.unclear).toBeUndefined();
    expect(second?.cpuCores).toBeCloseTo(0.5, 9);
    expect([second?.memoryLimitMb, second?.cpuQuotaCores]).toEqual([undefined, undefined]);
  }
});

test('of several containers none is taken without a word, and the sums around them are not counted among them', () => {
  const two = podPage(0).replace(
    /^container_cpu.*container="janus".*$/m,
    (line) => `${line}\n${line.replaceAll('janus', 'side').replace('/ef', '/aa')}`,
  );
  const [first] = readingsOf([two]);
  expect(first?.unclear?.[0]).toContain('it tells of 2 containers');
});

test('what MediaMTX, LiveKit and SRS say of themselves are curves without being asked for', () => {
  const [mediamtx] = readingsOf([
    'paths{name="a",state="ready"} 1\npaths{name="b",state="ready"} 1\nwebrtc_sessions{id="1",state="read"} 1\n',
  ]);
  expect(mediamtx?.named).toEqual({ paths: 2, webrtc_sessions: 1 });
  const livekit = (bytes: number) =>
    `# TYPE livekit_room_total gauge\nlivekit_room_total{node_id="n"} 3\n# TYPE livekit_packet_bytes counter\nlivekit_packet_bytes{direction="outgoing"} ${bytes}\n# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total 1\n`;
  const [, second] = readingsOf([livekit(0), livekit(500)]);
  expect(second?.named).toEqual({ livekit_room_total: 3, livekit_packet_bytes: 500 });
  const srs = (bytes: number) =>
    `# TYPE srs_streams gauge\nsrs_streams 2\n# TYPE srs_send_bytes_total counter\nsrs_send_bytes_total ${bytes}\n`;
  expect(readingsOf([srs(0), srs(100)])[1]?.named).toEqual({ srs_streams: 2, srs_send_bytes_total: 100 });
});
