import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { CostedHost } from '../../analysis/needs/probe-costs.js';
import { readText } from '../../host/read-text.js';
import { type VisitCalibration, visitCalibrationSchema } from '../../model/calibration.js';
import { jsonIn } from '../../model/json-text.js';
import { firstServer, isSimulated, type Plan } from '../../model/plan.js';
import { eachKind } from '../../model/probe-kinds.js';
import { participantsOf, type Scenario } from '../../model/scenario.js';
import { cameraText } from '../options/camera-flag.js';
import type { ToolProcess } from '../process.js';
import { type CalibratedHost, readCalibrations, thisHost, writeState } from './calibration-file.js';
import { stateFolder } from './folders.js';

type Named = Pick<VisitCalibration, 'url' | 'members' | 'painted' | 'library' | 'encoded' | 'camera'>;

/** One file per host, app, room size, camera, painting and decoding: a page costs what it shows. Newest Chromium. */
function fileName(host: CalibratedHost, { url, members, painted, library, encoded, camera }: Named): string {
  const key = createHash('sha256')
    .update(JSON.stringify({ host, url, members, painted, library, encoded, camera }))
    .digest('hex')
    .slice(0, 16);
  return `visit-calibration-${key}.json`;
}

/** Cost of a plan's probes on this host: of calibrated pages of its app, else of our probes; `undefined`: unknown. */
export async function calibratedFor(
  { players, server, media }: Plan,
  scenario: Scenario,
  tool: ToolProcess,
): Promise<CostedHost['calibrated']> {
  const members = participantsOf(scenario.sessions(1)).length;
  const visit = players.kind === 'visiting' ? players : undefined;
  const url = visit && !isSimulated(server) ? firstServer(server).url : undefined;
  const found =
    url === undefined
      ? undefined
      : await readVisit(tool, {
          ...{ url, members, painted: visit?.painted === true, camera: cameraText(media) },
          ...(visit?.library === undefined ? {} : { library: true as const }),
          ...(visit?.encoded ? { encoded: true as const } : {}),
        });
  if (found) {
    const { host, page } = found;
    return { host, ...eachKind(() => page), visits: true };
  }
  return (await readCalibrations(tool))[0];
}

/** What cannot be read is as good as nothing. */
async function readVisit(tool: ToolProcess, named: Named): Promise<VisitCalibration | undefined> {
  const path = join(stateFolder(tool), fileName(thisHost(tool), named));
  return visitCalibrationSchema.safeParse(jsonIn(await readText(path))).data;
}

/** Returns the path. */
export function writeVisitCalibration(tool: ToolProcess, calibration: VisitCalibration): Promise<string> {
  return writeState(tool, fileName(calibration.host, calibration), calibration);
}
