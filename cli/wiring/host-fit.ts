import { cpuFit, cpuShortages } from '../../analysis/needs/cpu-fit.js';
import { type HostFit, hostFit, type Shortage, shortages } from '../../analysis/needs/plan-cost.js';
import type { CostedHost } from '../../analysis/needs/probe-costs.js';
import { mayBeEncoded } from '../../model/encodable.js';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import type { Plan } from '../../model/plan.js';
import type { Scenario } from '../../model/scenario.js';
import { sizeText } from '../live/room-lines.js';
import { playsElsewhere } from '../options/host-flags.js';
import { readHostRoom } from './host-room.js';

/**
 * Whether what this host has to give bounds a run. What other hosts can carry is theirs to say; what signals alone
 * needs no room for probes.
 */
export function isCarriedHere(plan: Plan): boolean {
  return !playsElsewhere(plan) && plan.players.kind !== 'signalling';
}

/** A size that is tried whatever comes of those before it, by the flag that names it. */
interface NamedSize {
  readonly size: number;
  readonly flag: '--size' | '--sizes' | '--from';
}

/** The largest that a search was told to try; undefined where it chooses all of them. */
export function namedSize({ search: { strategy, sizes, from } }: Plan): NamedSize | undefined {
  if (strategy === 'fixed' && sizes) return { size: Math.max(...sizes), flag: '--sizes' };
  return from === undefined ? undefined : { size: from, flag: '--from' };
}

interface Carrying {
  readonly fit: HostFit;
  /** Why this host is not let play it, E_HOST; absent where it is. */
  readonly refusal?: LoadlineError;
}

/** As `fitHere`; throws the refusal. */
export async function checkedFit(...asked: Parameters<typeof fitHere>): Promise<HostFit> {
  const { fit, refusal } = await fitHere(...asked);
  if (refusal) throw refusal;
  return fit;
}

/**
 * How far this host can carry a run. A size that is named must fit. The largest that a search may come to (`--max`)
 * need not: it ends where the probes run out, and where that is, is told. The baseline must have memory, ports and
 * files.
 */
export async function fitHere(
  plan: Plan,
  scenario: Scenario,
  named: NamedSize | undefined,
  calibrated?: CostedHost['calibrated'],
): Promise<Carrying> {
  const room = { ...(await readHostRoom()), ...given({ calibrated }) };
  const fitOf = (one: Plan) => ({ ...hostFit(one, scenario, room), ...given({ cpu: cpuFit(one, scenario, room) }) });
  const upTo = (size: number) => ({ ...plan, search: { ...plan.search, max: size } });
  const ofNamed = (size: number, flag: string) => {
    const asked = upTo(size);
    const fit = fitOf(asked);
    const short = [...shortages(fit.largest, room), ...cpuShortages(asked, scenario, room)];
    return refusalOf({ fit, plan, scenario, flag }, short);
  };
  const ofBaseline = () => {
    const fit = fitOf(upTo(scenario.baselineSize));
    return refusalOf({ fit, plan, scenario, flag: scenario.name }, shortages(fit.largest, room));
  };
  const refusal = (named && ofNamed(named.size, named.flag)) ?? (named?.flag === '--sizes' ? undefined : ofBaseline());
  return { fit: fitOf(plan), ...given({ refusal }) };
}

interface Fitting {
  readonly fit: HostFit;
  readonly plan: Plan;
  readonly scenario: Scenario;
  /** What names the size. */
  readonly flag: string;
}

/** With every part that does not fit; undefined where all do. */
function refusalOf(
  { fit: { largest, cpu, ...fit }, plan, scenario, flag }: Fitting,
  short: readonly Shortage[],
): LoadlineError | undefined {
  if (short.length === 0) return undefined;
  const fitting = Math.min(fit.fitting, cpu?.fitting ?? fit.fitting);
  return new LoadlineError('E_HOST', `This host cannot carry ${sizeText(largest.size, scenario.unit)}.`, {
    where: flag,
    why: short.map(shortageText).join('\n'),
    todo: fitting > 0 ? `use ${flag} ${fitting} or less, or ${remedy(short, plan)}` : remedy(short, plan),
  });
}

function shortageText({ what, needed, available, unit }: Shortage): string {
  if (what !== 'CPU') return `${what}: ${needed} ${unit} are needed, ${available} are there`;
  return `${what}: about ${needed} ${unit} are needed, an estimate; ${available} are there, and not even twice as many would do`;
}

function remedy(short: readonly Shortage[], plan: Plan): string {
  const cheaper = mayBeEncoded(plan) ? 'play encoded probes (--media encoded), ' : '';
  const remedies: Readonly<Record<Shortage['what'], string>> = {
    memory: 'play the probes on a host with more memory',
    'UDP ports': 'widen net.ipv4.ip_local_port_range with sysctl',
    'open files': 'raise ulimit -n',
    CPU: `${cheaper}measure this host with loadline calibrate, or take one with more cores`,
  };
  return short.map(({ what }) => remedies[what]).join(', and ');
}
