import { createHash } from 'node:crypto';
import { readdir, rename, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { coresHeldTo } from '../../host/core-count.js';
import { makeFolders } from '../../host/make-folders.js';
import { readText } from '../../host/read-text.js';
import { type Calibration, calibrationSchema } from '../../model/calibration.js';
import { jsonIn } from '../../model/json-text.js';
import { eachKind } from '../../model/probe-kinds.js';
import type { TooManyProbes } from '../../model/run.js';
import type { ToolProcess } from '../process.js';
import { stateFolder } from './folders.js';
import { readHostFacts } from './host-facts.js';

export type CalibratedHost = Calibration['host'];

/** What a calibration holds for: a change of any of it asks for a new one. */
export function thisHost({ nodeVersion }: ToolProcess): CalibratedHost {
  const { cores, cpuModel, memoryMb } = readHostFacts(nodeVersion);
  return { name: hostname(), cores: coresHeldTo('self', undefined) ?? cores, cpuModel, memoryMb };
}

/** One file for each host and Chromium. */
function fileName(host: CalibratedHost, chromium: string): string {
  const key = createHash('sha256').update(JSON.stringify(host)).digest('hex').slice(0, 8);
  return `calibration-${key}-${chromium.replace(/[^\w.]/g, '_')}.json`;
}

/** What was measured on this host, with any Chromium, the newest first. What cannot be read is as good as none. */
export async function readCalibrations(tool: ToolProcess): Promise<readonly Calibration[]> {
  const host = thisHost(tool);
  const folder = stateFolder(tool);
  const prefix = fileName(host, '').replace('.json', '');
  const names = await readdir(folder).catch((): string[] => []);
  const own = names.filter((name) => name.startsWith(prefix) && name.endsWith('.json'));
  const texts = await Promise.all(own.map((name) => readText(join(folder, name))));
  const read = texts.flatMap((text) => calibrationSchema.safeParse(jsonIn(text)).data ?? []);
  return read.sort((a, b) => b.measuredAt.localeCompare(a.measuredAt));
}

/** What was too many for this host with this Chromium, by the newest calibration; `undefined` when nothing is known. */
export async function tooManyHere(tool: ToolProcess, chromium: string): Promise<TooManyProbes | undefined> {
  const known = (await readCalibrations(tool)).find((one) => one.chromium === chromium);
  return known && eachKind((kind) => known[kind].tooMany);
}

/** Returns the path. The file is there as a whole or not at all. */
export async function writeCalibration(tool: ToolProcess, calibration: Calibration): Promise<string> {
  return writeState(tool, fileName(calibration.host, calibration.chromium), calibration);
}

export async function writeState(tool: ToolProcess, name: string, value: object): Promise<string> {
  const folder = stateFolder(tool);
  const path = join(folder, name);
  await makeFolders(folder);
  await writeFile(`${path}.unfinished`, `${JSON.stringify(value, null, 2)}\n`);
  await rename(`${path}.unfinished`, path);
  return path;
}
