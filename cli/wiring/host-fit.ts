import { cpuFit, cpuShortages } from '../../analysis/needs/cpu-fit.js';
import { type HostFit, hostFit, type Shortage, shortages } from '../../analysis/needs/plan-cost.js';
import type { CostedHost } from '../../analysis/needs/probe-costs.js';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import type { Plan } from '../../model/plan.js';
import type { Scenario } from '../../model/scenario.js';
import { sizeText } from '../live/room-lines.js';
import { readHostRoom } from './host-room.js';

/**
 * How far this host can carry a search. A size that was asked for must fit, and so must the baseline; where nobody
 * chose the largest size, it is enough to know where the probes will end the search. Throws E_HOST.
 */
export async function checkedFit(
  plan: Plan,
  scenario: Scenario,
  sizeWasChosen: boolean,
  calibrated?: CostedHost['calibrated'],
): Promise<HostFit> {
  const room = { ...(await readHostRoom()), ...given({ calibrated }) };
  const fit = { ...hostFit(plan, scenario, room), ...given({ cpu: cpuFit(plan, scenario, room) }) };
  const short = shortages(fit.largest, room);
  if (sizeWasChosen) assertFits(fit, [...short, ...cpuShortages(plan, scenario, room)], plan, scenario);
  else if (fit.fitting < scenario.baselineSize) assertFits(fit, short, plan, scenario);
  return fit;
}

/** Throws E_HOST with every part that does not fit. */
function assertFits(
  { largest, cpu, ...fit }: HostFit,
  short: readonly Shortage[],
  plan: Plan,
  { unit }: Scenario,
): void {
  if (short.length === 0) return;
  const fitting = Math.min(fit.fitting, cpu?.fitting ?? fit.fitting);
  throw new LoadlineError('E_HOST', `This host cannot carry ${sizeText(largest.size, unit)}.`, {
    where: '--max',
    why: short.map(shortageText).join('\n'),
    todo: fitting > 0 ? `use --max ${fitting}, or ${remedy(short, plan)}` : remedy(short, plan),
  });
}

function shortageText({ what, needed, available, unit }: Shortage): string {
  if (what !== 'CPU') return `${what}: ${needed} ${unit} are needed, ${available} are there`;
  return `${what}: about ${needed} ${unit} are needed, an estimate; ${available} are there, and not even twice as many would do`;
}

function remedy(short: readonly Shortage[], { players, media: { simulcast } }: Plan): string {
  const cheaper = players.kind === 'full' && !simulcast ? 'play encoded probes (--media encoded), ' : '';
  const remedies: Readonly<Record<Shortage['what'], string>> = {
    memory: 'play the probes on a host with more memory',
    'UDP ports': 'widen net.ipv4.ip_local_port_range with sysctl',
    'open files': 'raise ulimit -n',
    CPU: `${cheaper}measure this host with loadline calibrate, or take one with more cores`,
  };
  return short.map(({ what }) => remedies[what]).join(', and ');
}
