import { z } from 'zod';
import { jsonIn } from '../../model/json-text.js';
import { lostTogether } from '../../model/network-record.js';
import { groupNames } from './names.js';
import { tryCommand } from './run-command.js';

export interface PlacedDevice {
  /** Absent: the host's own. */
  readonly namespace?: string;
  readonly device: string;
}

/** Where packets of a group go into the box. */
export function endsOf(pid: number, group: number): PlacedDevice[] {
  const { namespace, probeDevice, hostDevice } = groupNames(pid, group);
  return [{ namespace, device: probeDevice }, { device: hostDevice }];
}

/** Packets that these interfaces could not hand on, since they were made; `undefined` where one cannot be read. */
export async function dropsOf(devices: readonly PlacedDevice[]): Promise<number | undefined> {
  return lostTogether(await Promise.all(devices.map(dropsAt)));
}

async function dropsAt({ namespace, device }: PlacedDevice): Promise<number | undefined> {
  const place = namespace === undefined ? [] : ['-n', namespace];
  const { stdout } = await tryCommand(['ip', ...place, '-s', '-j', 'link', 'show', 'dev', device]);
  return droppedIn(stdout);
}

const linkStatistics = z.array(z.object({ stats64: z.object({ tx: z.object({ dropped: z.number() }) }) }));

/** Of what `ip -s -j link show` says of one interface. */
export function droppedIn(said: string): number | undefined {
  return linkStatistics.safeParse(jsonIn(said)).data?.[0]?.stats64.tx.dropped;
}

/** What a count grew by; unknown where it was not read both times, or fell. */
export function countedSince(before: number | undefined, now: number | undefined): number | undefined {
  return before === undefined || now === undefined || now < before ? undefined : now - before;
}
