import { calibratedScenario } from '../../analysis/judge/calibrated-host.js';
import { type CalibrationStep, calibrationOf } from '../../analysis/judge/calibration.js';
import { defaultLayout } from '../../analysis/search/layout-choice.js';
import { type Calibration, calibrationFormat, type KindCalibration } from '../../model/calibration.js';
import { theOneHost } from '../../model/probe-host.js';
import { embeddedKind } from '../../server-setup/embedded/kind.js';
import type { ToolProcess } from '../process.js';
import { thisHost, writeCalibration } from '../wiring/calibration-file.js';

interface Calibrated {
  readonly found: Calibration;
  /** Where it is kept. */
  readonly path: string;
}

/** Measures what this host carries with this Chromium, and keeps it. Rejects when the signal aborts. */
export async function calibrateHere(
  chromium: { readonly path: string; readonly version: string },
  cache: string,
  tool: ToolProcess,
  signal: AbortSignal,
): Promise<Calibrated> {
  const host = thisHost(tool);
  tool.stderr.write(`calibrating ${host.cores} × ${host.cpuModel} with Chromium ${chromium.version}\n`);
  const here = { cores: host.cores, cache };
  const full = await kind('full', chromium.path, here, tool, signal);
  const encoded = await kind('encoded', chromium.path, here, tool, signal);
  const found: Calibration = {
    format: calibrationFormat,
    measuredAt: new Date().toISOString(),
    probeHost: theOneHost,
    host,
    chromium: chromium.version,
    full,
    encoded,
  };
  return { found, path: await writeCalibration(tool, found) };
}

async function kind(
  which: 'full' | 'encoded',
  chromiumPath: string,
  { cores, cache }: { readonly cores: number; readonly cache: string },
  tool: ToolProcess,
  signal: AbortSignal,
): Promise<KindCalibration> {
  const [{ measureKind }, { browsersMb, calibrationParts }, { serverOf }, { planSchema }] = await Promise.all([
    import('./measure-kind.js'),
    import('./calibration-parts.js'),
    import('../wiring/wiring.js'),
    import('../../model/plan.js'),
  ]);
  const plan = planSchema.parse({ scenario: calibratedScenario, server: { kind: embeddedKind.name } });
  const server = await serverOf(plan, { kind: embeddedKind, server: { kind: embeddedKind.name } }, tool);
  try {
    const facts = await server.start(signal);
    const layout = defaultLayout(which === 'encoded');
    const steps = await measureKind({
      kind: which,
      cores,
      server: facts,
      parts: calibrationParts(server, chromiumPath, cache),
      browsersMb,
      layout,
      signal,
      onStep: (step) => tool.stderr.write(`  ${stepText(which, step)}\n`),
    });
    return calibrationOf(steps);
  } finally {
    await server.stop();
  }
}

function stepText(
  which: string,
  { probes, carried, because, probeCores, serverCores, pssMb }: CalibrationStep,
): string {
  const cost = `${probeCores.toFixed(2)} cores, ${pssMb.toFixed(0)} MiB, server ${serverCores.toFixed(2)} cores`;
  return `${carried ? '✓' : '✗'} ${probes} ${which} probes: ${cost}${because === undefined ? '' : `. ${because}`}`;
}
