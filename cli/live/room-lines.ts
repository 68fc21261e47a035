import { calibratedTexts } from '../../analysis/judge/calibration.js';
import type { HostFit } from '../../analysis/needs/plan-cost.js';
import type { CpuFit } from '../../analysis/needs/probe-costs.js';
import { numberNear } from '../../analysis/wording/wording.js';
import { isBrowserless } from '../../model/probe-kinds.js';
import type { ScenarioUnit } from '../../model/scenario.js';
import { rateText } from '../../model/units.js';

/**
 * What the largest size needs of the host that plays the probes. Where that host does not carry it, what it carries
 * comes first.
 */
export function roomTexts({ largest, room, fitting, cpu }: HostFit, unit: ScenarioUnit): readonly string[] {
  const { size, probes, pages, browsers, memoryMb, conductorMb, udpPorts, openFiles, connectionsUnknown } = largest;
  const there = (available: number | undefined) => (available === undefined ? '' : ` (${available} here)`);
  const carriesAll = fitting >= size && (cpu === undefined || cpu.fitting >= size);
  const needs = [
    `${carriesAll ? `with ${sizeText(size, unit)}:` : `${sizeText(size, unit)} would need`} ${counted(probes, 'probe')} on ${counted(pages, 'page')} in ${counted(browsers, 'browser')},`,
    `about ${Math.ceil(largest.cores)} cores${there(room.cores)} and ${memoryMb} MiB of memory${there(room.memoryMb)},`,
    `${connectionsUnknown ? 'at least ' : ''}${udpPorts} UDP ports${there(room.udpPorts)}, ${openFiles} open files a process${there(room.openFiles)}`,
    `beside them about ${conductorMb} MiB of memory for this tool itself`,
  ];
  const calibrated = calibratedTexts(room.calibrated);
  const ofCpu = cpu ? cpuTexts(cpu, size, unit) : [];
  if (carriesAll) return [...needs, ...calibrated, ...ofCpu];
  if (fitting >= size) return [...calibrated, ...ofCpu, ...needs];
  const ofRoom = `this host has memory, ports and files for ${sizeText(fitting, unit)}`;
  // What is less ends the search.
  if (cpu && cpu.fitting <= fitting) return [...calibrated, ...ofCpu, ofRoom, ...needs];
  return [`${ofRoom}:`, '  there the probes are the limit', ...calibrated, ...ofCpu, ...needs];
}

/** Where CPU will likely end the search, by which figures, and what would carry more. */
function cpuTexts(
  {
    mixerCoresPerProbe,
    server,
    egressLimitBps,
    cores,
    by,
    fitting,
    fittingEncoded,
    browsers,
    costs,
    countsServer,
  }: CpuFit,
  size: number,
  unit: ScenarioUnit,
) {
  const figures = by === 'calibration' ? 'its calibration' : 'stated figures, for it was never calibrated';
  const share = (value: number) => Number(value.toFixed(3));
  const cost = costs.map(({ kind, cost: { coresPerProbe, serverCoresPerProbe } }) => {
    if (isBrowserless(kind)) return `${share(coresPerProbe)} of a core per way of a ${kind} probe`;
    return `${share(coresPerProbe + (countsServer ? 0 : serverCoresPerProbe))} of a core per ${kind} probe of a call`;
  });
  // Some calibrations have it in the cost of the probe.
  const ofServer = countsServer ? costs.map((one) => share(one.cost.serverCoresPerProbe)) : [];
  const servers = ofServer.filter((cores) => cores > 0);
  const most = fitting === 0 ? `not even ${sizeText(1, unit)}` : `about ${sizeText(fitting, unit)}`;
  const estimate = [
    `CPU, an estimate: ${counted(cores, 'core')} for ${fitting >= size ? sizeText(size, unit) : most}`,
    `  by ${figures}:`,
    `  ${cost.join(', ')}${servers.length > 0 ? `, and ${servers.join(', ')} of the server` : ''};`,
    '  rooms, receivers alone and larger pictures by their share of that',
    ...browsersTexts(
      browsers,
      costs.some(({ kind }) => isBrowserless(kind)),
      unit,
    ),
  ];
  if (mixerCoresPerProbe !== undefined)
    estimate.push(`  and ${share(mixerCoresPerProbe)} of the server for each who is mixed, by stated figures`);
  if (server && server.fitting < size)
    estimate.push(
      `  the server is held to ${counted(server.cores, 'core')}: by stated figures it is full with`,
      `  ${server.fitting === 0 ? sizeText(1, unit) : `more than about ${sizeText(server.fitting, unit)}`}`,
    );
  if (fitting >= size) return estimate;
  const more = [
    ...(fittingEncoded === undefined ? [] : [`--media encoded (about ${sizeText(fittingEncoded, unit)})`]),
    'more cores',
  ];
  return [
    ...estimate,
    ...endTexts(egressLimitBps),
    `  more: ${more.join(', ')}`,
    ...(by === 'calibration' ? [] : ['  loadline calibrate measures what this host carries']),
  ];
}

/** Of probes most of which have no browser: how many have one, and that it is they who take the CPU. */
function browsersTexts(
  { size, count, of, cores }: CpuFit['browsers'],
  isMixed: boolean,
  unit: ScenarioUnit,
): readonly string[] {
  if (!isMixed || count === 0) return [];
  const who = count === of ? `all ${of}` : `${count} of ${of}`;
  return [`  with ${sizeText(size, unit)} ${who} are browsers, which take ${numberNear(cores)} cores`];
}

function endTexts(egressLimitBps: number | undefined): readonly string[] {
  if (egressLimitBps === undefined) return ['  there the probes will likely be the limit, not the server;'];
  return [
    '  there the probes will likely be the limit, if the up-link of the',
    `  server (${rateText(egressLimitBps)}) is not full before, which is not estimated;`,
  ];
}

/** "1 call", "4 calls". */
export function sizeText(size: number, unit: ScenarioUnit): string {
  return `${size} ${size === 1 ? unit.one : unit.many}`;
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}
