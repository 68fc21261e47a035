import { carriesText } from '../../analysis/judge/calibration.js';
import { sharesOfOne } from '../../model/calibration.js';
import { BusSilence } from '../../probes/hosts/bus.js';
import { byMachine, type HeldHost } from '../../probes/hosts/held-host.js';
import { HostPool } from '../../probes/hosts/host-pool.js';
import { type BusAccess, openBus } from '../hosts/bus.js';
import { thisConductor, wantedHere } from '../hosts/this-machine.js';
import type { ToolProcess } from '../process.js';

/** Three kinds of probes, up to eight steps each of half a minute to two, and the slowest machine. */
const withinMs = 45 * 60_000;

/** Has every usable host of a bus measure itself. Returns 0 when each has, else 1. Throws E_BUS, E_HOSTS. */
export async function calibrateHosts(access: BusAccess, tool: ToolProcess, signal: AbortSignal): Promise<number> {
  const bus = await openBus(access, { side: 'conductor' }, tool);
  const by = thisConductor();
  const wanted = await wantedHere();
  try {
    const pool = await HostPool.open({ bus, by, wanted, spread: 'even', probes: sharesOfOne('full') });
    try {
      const ids = pool.hosts().map(({ id }) => id);
      tool.stderr.write(`calibrating ${ids.join(', ')}; takes about eight minutes\n`);
      const results = await calibrateAll(pool.hosts(), signal);
      for (const { id, text } of results) tool.stdout.write(`  ${id}: ${text}\n`);
      return results.every(({ ok }) => ok) ? 0 : 1;
    } finally {
      await pool.close();
    }
  } finally {
    await bus.close();
  }
}

/** All at once, but for hosts on one machine: they would measure one another. In the order of the hosts. */
export async function calibrateAll(hosts: readonly HeldHost[], signal: AbortSignal) {
  const results = new Map<HeldHost, Awaited<ReturnType<typeof calibrateOne>>>();
  await Promise.all(
    byMachine(hosts).map(async (own) => {
      for (const host of own) results.set(host, await calibrateOne(host, signal));
    }),
  );
  signal.throwIfAborted();
  return hosts.flatMap((host) => results.get(host) ?? []);
}

async function calibrateOne(host: HeldHost, signal: AbortSignal) {
  const { id } = host;
  const lost = new AbortController();
  const stop = host.whenLost((why) => lost.abort(new Error(why)));
  try {
    const reply = await host.order({ do: 'calibrate' }, AbortSignal.any([signal, lost.signal]), withinMs);
    if (!reply.ok) return { id, ok: false, text: `was not calibrated: ${reply.message}` };
    if (!reply.calibrated) return { id, ok: false, text: 'did not say what it found' };
    return { id, ok: true, text: carriesText(reply.calibrated) };
  } catch (error) {
    if (host.lost !== undefined) return { id, ok: false, text: `was lost: ${host.lost}` };
    if (error instanceof BusSilence) return { id, ok: false, text: 'did not answer in time' };
    throw error;
  } finally {
    stop();
  }
}
