import { calibratedScenario } from '../../analysis/judge/calibrated-host.js';
import { type CalibrationStep, calibrationOf } from '../../analysis/judge/calibration.js';
import { defaultLayout } from '../../analysis/needs/layout-choice.js';
import { type Calibration, calibrationFormat, type KindCalibration } from '../../model/calibration.js';
import { clusterName } from '../../model/placement.js';
import { localHostId } from '../../model/probe-host.js';
import { eachKind, type ProbeKind, probeKindNames, probeKinds } from '../../model/probe-kinds.js';
import { clusterKind } from '../../server-setup/cluster/cluster-kind.js';
import { embeddedKind } from '../../server-setup/embedded/kind.js';
import type { ToolProcess } from '../process.js';
import { thisHost, writeCalibration } from '../wiring/calibration-file.js';

const embedded = { kind: embeddedKind.name };

/** The browser that is calibrated with, and where its clips are kept. */
export interface CalibrationMeans {
  readonly chromium: { readonly path: string; readonly version: string };
  readonly cache: string;
}

/** Measures what this host carries with this Chromium, and keeps it. Rejects when the signal aborts. */
export async function calibrateHere({ chromium, cache }: CalibrationMeans, tool: ToolProcess, signal: AbortSignal) {
  const host = thisHost(tool);
  tool.stderr.write(`calibrating ${host.cores} × ${host.cpuModel} with Chromium ${chromium.version}\n`);
  const here = { cores: host.cores, cache, chromiumPath: chromium.path };
  const measured = new Map<ProbeKind, KindCalibration>();
  for (const which of probeKindNames.toReversed()) measured.set(which, await kind(which, here, tool, signal));
  const found: Calibration = {
    format: calibrationFormat,
    ...eachKind((which) => measured.get(which) as KindCalibration),
    measuredAt: new Date().toISOString(),
    probeHost: localHostId,
    host,
    chromium: chromium.version,
  };
  return { found, path: await writeCalibration(tool, found) };
}

async function kind(
  which: ProbeKind,
  { cores, cache, chromiumPath }: { readonly cores: number; readonly cache: string; readonly chromiumPath: string },
  tool: ToolProcess,
  signal: AbortSignal,
): Promise<KindCalibration> {
  const [{ measureKind }, { calibrationParts }, { playerOf }, { serverOf }, { planSchema }] = await Promise.all([
    import('./measure-kind.js'),
    import('./calibration-parts.js'),
    import('../wiring/players.js'),
    import('../wiring/wiring.js'),
    import('../../model/plan.js'),
  ]);
  const { serverKind, servers } = serversBeside(which, cores);
  const player = playerOf(which);
  const plan = planSchema.parse({ scenario: calibratedScenario, server: servers });
  const server = await serverOf(plan, { kind: serverKind, server: embedded }, tool);
  try {
    const facts = await server.start(signal);
    const steps = await measureKind({
      kind: which,
      cores,
      plan,
      server: facts,
      parts: calibrationParts(server, chromiumPath, player.start(cache)),
      playersMb: player.memoryMb,
      layout: defaultLayout(which === 'encoded'),
      signal,
      onStep: (step) => tool.stderr.write(`  ${stepText(which, step)}\n`),
    });
    return calibrationOf(steps);
  } finally {
    await server.stop();
  }
}

/** An embedded server is one process and has one core at most: so many of them that none is full before the host is. */
function serversBeside(which: ProbeKind, cores: number) {
  const count = Math.ceil(probeKinds[which].calibrated.serversPerCore * cores);
  if (count < 2) return { serverKind: embeddedKind, servers: embedded };
  const members = Array.from({ length: count }, (_, nth) => ({ name: clusterName(nth), server: embedded }));
  const cluster = { kind: 'cluster' as const, members, placement: 'round-robin' as const };
  return { serverKind: clusterKind(embeddedKind, cluster), servers: cluster };
}

function stepText(which: ProbeKind, step: CalibrationStep): string {
  const { probes, carried, because, probeCores, serverCores, pssMb } = step;
  const cost = `${probeCores.toFixed(2)} cores, ${pssMb.toFixed(0)} MiB, server ${serverCores.toFixed(2)} cores`;
  return `${carried ? '✓' : '✗'} ${probes} ${which} probes: ${cost}${because === undefined ? '' : `. ${because}`}`;
}
