import type { HostsNeed } from '../../analysis/needs/hosts-need.js';
import type { ScenarioUnit } from '../../model/scenario.js';
import { sizeText } from './room-lines.js';

/** How many hosts a plan needs and has, in lines that stand after a label. */
export function hostsNeedTexts(need: HostsNeed, unit: ScenarioUnit): readonly string[] {
  const { size, probes, there, carried, notCalibrated, needed, missing, fitting } = need;
  const asked = `${sizeText(size, unit)}, ${probes} probes`;
  const can = there === 1 ? '1 host can serve' : `${there} hosts can serve`;
  const unknown = [
    ...(notCalibrated.length === 0 ? [] : [`not calibrated: ${notCalibrated.join(', ')}`]),
    ...(notCalibrated.length === 0 ? [] : ['  loadline calibrate --hosts measures what each carries']),
  ];
  if (needed === undefined || fitting === undefined) {
    return [`${can}; how many are needed for ${asked}, nobody knows`, ...unknown];
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
