import { calibratedTexts } from '../../analysis/judge/calibration.js';
import type { HostFit } from '../../analysis/search/plan-cost.js';
import type { ScenarioUnit } from '../../model/scenario.js';

/** What the largest size needs of the host that plays the probes, and where that host ends the search before it. */
export function roomTexts({ largest, room, fitting }: HostFit, unit: ScenarioUnit): readonly string[] {
  const { size, probes, pages, browsers, memoryMb, udpPorts, openFiles } = largest;
  const of = (available: number | undefined) => (available === undefined ? '' : ` of ${available}`);
  const all = [
    `with ${sizeText(size, unit)}: ${counted(probes, 'probe')} on ${counted(pages, 'page')} in ${counted(browsers, 'browser')},`,
    `about ${memoryMb}${of(room.memoryMb)} MiB of memory, ${udpPorts}${of(room.udpPorts)} UDP ports,`,
    `${openFiles}${of(room.openFiles)} open files in one process, and about ${Math.ceil(largest.cores)}${of(room.cores)} cores`,
    ...calibratedTexts(room.calibrated),
  ];
  if (fitting >= size) return all;
  return [
    ...all,
    `this host has memory, ports and files for ${sizeText(fitting, unit)}:`,
    '  there the probes end the search',
  ];
}

/** "1 call", "4 calls". */
export function sizeText(size: number, unit: ScenarioUnit): string {
  return `${size} ${size === 1 ? unit.one : unit.many}`;
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
