import type { HostsNeed } from '../../analysis/needs/hosts-need.js';
import type { HostsPlan } from '../../model/plan.js';
import type { ScenarioUnit } from '../../model/scenario.js';
import { those } from '../../model/those.js';
import { sizeText } from './room-lines.js';

/** How many hosts a plan needs and has, in lines that stand after a label. */
export function hostsNeedTexts(need: HostsNeed, unit: ScenarioUnit): readonly string[] {
  const { size, probes, there, carried, notCalibrated, needed, missing, fitting } = need;
  const asked = `${sizeText(size, unit)}, ${probes} probes`;
  const can = there === 1 ? '1 host can serve' : `${there} hosts can serve`;
  const unknown = those(
    notCalibrated.length > 0 && `not calibrated: ${notCalibrated.join(', ')}`,
    notCalibrated.length > 0 && '  loadline calibrate --hosts measures what each carries',
  );
  if (needed === undefined || fitting === undefined) {
    return [`${can}; whether they do for ${asked} is not known`, ...unknown];
  }
  const enough = [`${can}; together they were calibrated to carry ${carried} probes`];
  if (!missing) return [...enough, `for ${asked}, ${needed} of them would do`, ...unknown];
  return [
    ...enough,
    `for ${asked}, ${missing} more like the largest are needed`,
    fitting === 0 ? `they do not carry ${sizeText(1, unit)}` : `they carry ${sizeText(fitting, unit)}`,
    ...unknown,
  ];
}

/** Hosts that `--hosts local:N` starts. */
export interface LocalHostsPlan {
  readonly count: number;
  readonly spread: HostsPlan['spread'];
  /** Why they share the network of this machine, a sentence part; absent: each has its own. */
  readonly shares?: string;
}

export function localHostsTexts({ count, spread, shares }: LocalHostsPlan): readonly string[] {
  const started = `${count} ${count === 1 ? 'host is' : 'hosts are'} started here by the run, with a bus of their own`;
  return [`${started}; participants are placed ${spread}`, sharedText(shares)];
}

/** What hosts on this machine have in common. */
export function sharedText(why: string | undefined): string {
  const network =
    why === undefined
      ? ', each with a network namespace and interfaces of its own'
      : `, and its network, too, because ${why}`;
  return `they are processes of this machine and share its CPU${network}`;
}
