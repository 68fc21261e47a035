import type { Command } from 'commander';
import { calibratedScenario } from '../../analysis/judge/calibrated-host.js';
import { type CalibrationStep, calibrationOf, carriesText } from '../../analysis/judge/calibration.js';
import { defaultLayout } from '../../analysis/search/layout-choice.js';
import { type Calibration, calibrationFormat, type KindCalibration } from '../../model/calibration.js';
import { theOneHost } from '../../model/probe-host.js';
import { embeddedKind } from '../../server-setup/embedded/kind.js';
import { interruptedCode } from '../exit-codes.js';
import type { ToolProcess } from '../process.js';
import { thisHost, writeCalibration } from '../wiring/calibration-file.js';
import { assertState, assertTemporary, usableCache } from '../wiring/folders.js';
import { listenForStop } from '../wiring/stop-request.js';

interface CalibrateFlags {
  readonly chromium?: string;
}

const help = `
Plays growing numbers of 1:1 calls on an embedded media server on this host, first with full probes, then with encoded
ones, until something on the probe side gives way. Takes about five minutes; let nothing else run meanwhile. What was
found is kept for this host and this Chromium, and plan and doctor use it.

Examples:
  loadline calibrate
  loadline calibrate --chromium /usr/bin/chromium`;

export function addCalibrate(program: Command, tool: ToolProcess, onExitCode: (code: number) => void): void {
  program
    .command('calibrate')
    .summary('measure how many probes this host carries')
    .description('Measures what full and encoded probes cost on this host, and how many of them it carries.')
    .option('--chromium <path>', 'the Chromium to use (also LOADLINE_CHROMIUM)')
    .addHelpText('after', help)
    .allowExcessArguments(false)
    .action(async (flags: CalibrateFlags) => onExitCode(await calibrate(flags, tool)));
}

async function calibrate(flags: CalibrateFlags, tool: ToolProcess): Promise<number> {
  const { removeLeftovers } = await import('../wiring/leftovers.js');
  const { ensureChromium } = await import('../wiring/chromium.js');
  await assertTemporary();
  await assertState(tool);
  const cache = await usableCache(tool);
  await removeLeftovers(tool);
  const chromium = await ensureChromium(tool, flags.chromium);
  const stop = listenForStop(tool, (text) => tool.stderr.write(`${text}\n`), interruptedCode);
  const host = thisHost(tool);
  tool.stderr.write(`calibrating ${host.cores} × ${host.cpuModel} with Chromium ${chromium.version}\n`);
  try {
    const full = await kind('full', chromium.path, { cores: host.cores, cache }, tool, stop.signal);
    const encoded = await kind('encoded', chromium.path, { cores: host.cores, cache }, tool, stop.signal);
    const measuredAt = new Date().toISOString();
    const found: Calibration = {
      format: calibrationFormat,
      measuredAt,
      probeHost: theOneHost,
      host,
      chromium: chromium.version,
      full,
      encoded,
    };
    const path = await writeCalibration(tool, found);
    tool.stdout.write(`${resultText(found)}\n\n  Saved  ${path}\n`);
    return 0;
  } catch (error) {
    if (stop.signal.aborted) return interruptedCode;
    throw error;
  } finally {
    stop.close();
  }
}

async function kind(
  which: 'full' | 'encoded',
  chromiumPath: string,
  { cores, cache }: { readonly cores: number; readonly cache: string },
  tool: ToolProcess,
  signal: AbortSignal,
): Promise<KindCalibration> {
  const [{ measureKind }, { browsersMb, calibrationParts }, { serverOf }, { planSchema }] = await Promise.all([
    import('../calibrate/measure-kind.js'),
    import('../calibrate/calibration-parts.js'),
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

function resultText({ full, encoded }: Calibration): string {
  const row = (name: string, { coresPerProbe, mbPerProbe, because }: KindCalibration) =>
    `    ${name.padEnd(9)}${coresPerProbe.toFixed(3)} of a core and ${mbPerProbe.toFixed(0)} MiB each. No more because: ${because}`;
  const carries = carriesText({ encoded: encoded.carries, full: full.carries });
  return [
    `  ${carries.charAt(0).toUpperCase()}${carries.slice(1)}, beside an embedded server.`,
    '',
    row('full', full),
    row('encoded', encoded),
  ].join('\n');
}
