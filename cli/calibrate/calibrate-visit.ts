import { tmpdir } from 'node:os';
import { type CalibrationStep, calibrationOf } from '../../analysis/judge/calibration.js';
import { type VisitCalibration, visitCalibrationFormat } from '../../model/calibration.js';
import { firstServer, isSimulated, type Plan } from '../../model/plan.js';
import { participantsOf, type Scenario } from '../../model/scenario.js';
import { localFleets } from '../../probes/local-fleet.js';
import type { AppAccess } from '../../probes/visit/visit-order.js';
import { visitingPlayer } from '../../probes/visit/visiting-player.js';
import { webAppKind } from '../../server-setup/web-app/kind.js';
import { cameraText } from '../options/camera-flag.js';
import type { ToolProcess } from '../process.js';
import { thisHost } from '../wiring/calibration-file.js';
import { playerOf } from '../wiring/players.js';
import { writeVisitCalibration } from '../wiring/visit-calibration-file.js';
import { expected, visitOrderOf } from '../wiring/visited-room.js';
import { serverOf } from '../wiring/wiring.js';
import type { CalibrationMeans } from './calibrate-here.js';
import { calibrationParts } from './calibration-parts.js';
import { calibratedTiming, measureSessions } from './measure-kind.js';

/** Measures how many pages of an app this host carries, and their cost. Rejects with E_VISIT, E_JOIN_SCRIPT, abort. */
export async function calibrateVisit(
  asked: { readonly plan: Plan; readonly scenario: Scenario; readonly app: AppAccess },
  { chromium, cache }: CalibrationMeans,
  tool: ToolProcess,
  signal: AbortSignal,
) {
  const { plan: first } = asked;
  const order = visitOrderOf(asked, tool, 'E_JOIN_SCRIPT');
  if (!order || isSimulated(first.server)) throw new Error('nothing is visited');
  const server = await serverOf(first, { kind: webAppKind, server: firstServer(first.server) }, tool);
  try {
    const facts = await server.start(signal);
    const { plan: looked, scenario } = await expected(asked, tool, chromium, signal);
    const fleets = localFleets(visitingPlayer(order));
    const parts = calibrationParts(server, chromium.path, (options, listener) =>
      fleets({ ...options, cacheFolder: cache, temporaryRoot: tmpdir() }, listener),
    );
    const plan = { ...looked, timing: { ...looked.timing, ...calibratedTiming } };
    const host = thisHost(tool);
    const onStep = (step: CalibrationStep): void => tool.stderr.write(`  ${stepText(step)}\n`);
    const common = { cores: host.cores, server: facts, parts, playersMb: playerOf('full').memoryMb, signal, onStep };
    const found: VisitCalibration = {
      format: visitCalibrationFormat,
      page: calibrationOf(await measureSessions({ ...common, plan, scenario })),
      measuredAt: new Date().toISOString(),
      host,
      chromium: chromium.version,
      url: order.url,
      members: participantsOf(scenario.sessions(1)).length,
      painted: order.painted === true,
      ...(order.library === undefined ? {} : { library: true as const }),
      ...(order.encoded ? { encoded: true as const } : {}),
      camera: cameraText(plan.media),
    };
    return { found, path: await writeVisitCalibration(tool, found) };
  } finally {
    await server.stop();
  }
}

function stepText({ probes, carried, because, probeCores, pssMb }: CalibrationStep): string {
  const cost = `${probeCores.toFixed(2)} cores, ${pssMb.toFixed(0)} MiB`;
  return `${carried ? '✓' : '✗'} ${probes} pages: ${cost}${because === undefined ? '' : `. ${because}`}`;
}
