import { createSocket } from 'node:dgram';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { readText } from '../../host/read-text.js';
import type { ScrapedReading } from '../../model/evidence.js';
import { scrapedEvidence } from '../../server-setup/evidence/scraped-evidence.js';

/** What the checks are made on, read from this host. Nothing here rejects: what cannot be read is not known. */

export async function readRights(): Promise<{ readonly uid: number; readonly capEff: string | undefined }> {
  const status = await readText('/proc/self/status');
  return { uid: getuid?.() ?? 0, capEff: /^CapEff:\s+([0-9a-f]+)$/m.exec(status)?.[1] };
}

export async function readReceiveBuffer(): Promise<number | undefined> {
  const text = await readText('/proc/sys/net/core/rmem_max');
  return text === '' ? undefined : Number(text);
}

/** Reads each page of metrics twice, a second apart: rates are known from then on. */
export async function readPages(
  urls: readonly string[],
  token: string | undefined,
): Promise<readonly ScrapedReading[]> {
  if (urls.length === 0) return [];
  const read = scrapedEvidence({ urls, metrics: [], token: token || undefined });
  const first = await read();
  await pause(1000);
  return [...first, ...(await read())];
}

export function cgroupVersion(root = '/sys/fs/cgroup'): 'v1' | 'v2' | undefined {
  if (existsSync(join(root, 'cgroup.controllers'))) return 'v2';
  return ['cpu', 'cpu,cpuacct'].some((name) => existsSync(join(root, name))) ? 'v1' : undefined;
}

export async function canBindPorts(): Promise<{ readonly udp: boolean; readonly tcp: boolean }> {
  const [udp, tcp] = await Promise.all([canBindUdp(), canBindTcp()]);
  return { udp, tcp };
}

function canBindUdp(): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind(0, '127.0.0.1', () => socket.close(() => resolve(true)));
  });
}

function canBindTcp(): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(0, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
