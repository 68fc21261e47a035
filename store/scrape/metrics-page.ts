import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopback } from '../../host/addresses.js';
import { LoadlineError } from '../../model/errors.js';
import { isCounter, type PointValues } from '../series/series.js';
import type { ListenAddress } from './listen-address.js';

export interface MetricsPage {
  /** `http://127.0.0.1:9464/metrics` */
  readonly url: string;
  /** How often it was read. */
  readonly scrapes: number;
  close(): Promise<void>;
}

/** Shows what `read` says to whoever asks for `/metrics`. Throws E_METRICS_LISTEN when it cannot listen. */
export async function openMetricsPage(
  { host, port }: ListenAddress,
  read: () => readonly PointValues[],
): Promise<MetricsPage> {
  let scrapes = 0;
  const answer: RequestListener = (request, response) => {
    if (isLoopback(host) && !isLoopback(hostIn(request.headers.host))) {
      // A page that somebody opens on this machine, under a name that was made to lead here.
      response.writeHead(403, { 'content-type': 'text/plain' }).end('Ask for it by its address.\n');
      return;
    }
    const path = request.url?.split('?')[0];
    if (path !== '/metrics' || (request.method !== 'GET' && request.method !== 'HEAD')) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Metrics are at /metrics.\n');
      return;
    }
    scrapes += 1;
    response.writeHead(200, { 'content-type': expositionType }).end(exposition(read()));
  };
  const server = createServer(answer);
  // Whoever waits for the page does not keep the run.
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  }).catch((error: unknown) => {
    throw cannotListen(host, port, error);
  });
  const { port: opened } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${opened}/metrics`,
    get scrapes() {
      return scrapes;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Of `127.0.0.1:9464` or `[::1]:9464`. */
function hostIn(header = ''): string {
  return header.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
}

function cannotListen(host: string, port: number, error: unknown): LoadlineError {
  return new LoadlineError('E_METRICS_LISTEN', `Nothing can listen on ${host}, port ${port}, for metrics.`, {
    where: '--metrics-listen',
    why: error instanceof Error ? error.message : String(error),
    todo: 'name an address of this machine and a free port; :0 takes any free one',
    cause: error,
  });
}

const expositionType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * Prometheus' text format: the values of one name together, under a line with their type. Without times: what is shown
 * is what is known now.
 */
export function exposition(points: readonly PointValues[]): string {
  const byName = new Map<string, string[]>();
  for (const { labels, values } of points) {
    const written = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
    for (const { name, value } of values) {
      const lines = byName.get(name) ?? [];
      lines.push(`${name}{${written.join(',')}} ${value}\n`);
      byName.set(name, lines);
    }
  }
  const names = [...byName].sort(([a], [b]) => (a < b ? -1 : 1));
  return names
    .map(([name, lines]) => `# TYPE ${name} ${isCounter(name) ? 'counter' : 'gauge'}\n${lines.join('')}`)
    .join('');
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
