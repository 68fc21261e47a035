import { firstFrameWaitMs } from '../../model/first-frame.js';
import { clockBoundMsMax } from '../../model/probe-host.js';
import type { Reason } from '../../model/verdict.js';
import type { TimeWindow } from '../measure/window.js';
import { numberNear } from '../wording/wording.js';
import { byHost, type HostPart } from './by-host.js';
import { type HostLoad, hostLoadIn } from './host-load.js';
import { type JudgeInput, joiningSpan } from './judge-input.js';
import { type ProbeFault, spoilsLoad } from './probe-fault.js';

/** With less available the kernel begins to drop what programs read from disk. Chosen. */
export const spareMemoryMb = 256;

const limits = {
  /** Share of the time in which the host may be full before a failure is nobody's in particular. */
  saturatedShare: 0.1,
  saturatedSeconds: 2,
  /** Browsers start and connect in bursts: joining may fill the host for longer. */
  joiningShare: 0.3,
  /** From here on it was the size itself. */
  exhaustedShare: 0.5,
  /** Share of the host in other processes' hands that makes it their fault, not the size's. */
  othersShare: 0.25,
  stolenShare: 0.1,
  /** A quota that is used up stops cameras, encoders and network code alike, for up to a period (100 ms) each time. */
  throttledShare: 0.1,
  /** Its own link carries what all its probes send and receive: a full one drops and delays as a server does. */
  linkFullShare: 0.1,
  memoryMb: spareMemoryMb,
  /** A quarter of a sample's width. Chosen. */
  clockBoundMs: clockBoundMsMax,
} as const;

/** What a probe host ran out of in the window, or while participants joined if that mattered there. */
export function hostReasons(input: JudgeInput, seatedWentWrong = false): ProbeFault[] {
  const joinSpan = seatedWentWrong || joiningWentWrong(input) ? joiningSpan(input) : undefined;
  return byHost(input).flatMap((part) => {
    const loadIn = (span: TimeWindow | undefined) => span && hostLoadIn(part.input, span);
    const [measured, joining] = [loadIn(input.window), loadIn(joinSpan)];
    return [
      ...(measured ? faultsOf(part, measured, 'while measuring', limits.saturatedShare) : []),
      ...(joining ? faultsOf(part, joining, 'while participants joined', limits.joiningShare) : []),
      ...unsureClock(part),
    ];
  });
}

/** A host that was full in some seconds, but too few to void any failure. */
export function brieflyFull(input: JudgeInput): { readonly fullMs: number; readonly reason: Reason }[] {
  return byHost(input).flatMap(({ name, host: { id }, input: own }) => {
    const { window, evidence } = own;
    const load = window && hostLoadIn(own, window);
    if (!window || !load || load.saturatedShare === 0) return [];
    const fullMs = load.saturatedShare * (window.endMs - window.startMs);
    const { code, text } = saturation(name, load, 'while measuring');
    const host = evidence.probeHost[0]?.host === undefined ? {} : { host: id };
    const whole = `${text.replace(/\.$/, '')}; what is near a limit may be so by ${fullMs > 1500 ? 'those seconds' : 'that second'}.`;
    return { fullMs, reason: { code, text: whole, ...host } };
  });
}

/** Above it, seconds of different hosts no longer match, and what is counted in the window is not in it. */
function unsureClock({ host: { id, clock }, name }: HostPart): ProbeFault[] {
  const limit = limits.clockBoundMs;
  if (!clock || clock.boundMs <= limit) return [];
  const measured = clock.boundMs;
  const text = `The clock of the probe host${name} is known to within ${numberNear(measured, limit)} ms only (limit ${limit} ms).`;
  return [spoilsLoad({ code: 'environment', host: id, text, measured, limit, unit: 'ms' })];
}

function joiningWentWrong({ probes, thresholds }: JudgeInput): boolean {
  return probes.some(({ up, failures, join }) => {
    const late = Math.max(join.dtlsConnectedMs ?? 0, join.iceConnectedMs ?? 0) > thresholds.joinMsMax;
    return !up || failures.length > 0 || late || (firstFrameWaitMs(join) ?? 0) > thresholds.firstFrameP95MsMax;
  });
}

function faultsOf({ name, input }: HostPart, host: HostLoad, when: string, saturatedShare: number): ProbeFault[] {
  const faults: ProbeFault[] = [];
  const id = input.evidence.probeHost[0]?.host;
  const add = (found: Reason, exhausted: boolean) => {
    const reason = id === undefined ? found : { ...found, host: id };
    faults.push({ reason, spoils: 'blame', exhausted });
  };

  const seconds = Math.round(host.saturatedShare * host.seconds);
  if (host.saturatedShare > saturatedShare && seconds >= limits.saturatedSeconds) {
    const found = saturation(name, host, when);
    const figures = { measured: 100 * host.saturatedShare, limit: 100 * saturatedShare, unit: '%' };
    const isOwn = found.code === 'probe-cpu' && host.saturated.busyCores > 0;
    add({ ...found, ...figures }, isOwn && host.saturatedShare >= limits.exhaustedShare);
  }
  if (host.stolenShare > limits.stolenShare) {
    const measured = 100 * host.stolenShare;
    const text = `Other virtual machines took ${numberNear(measured)} % of the probe host${name}'s CPU ${when}.`;
    add({ code: 'environment', text, measured, limit: 100 * limits.stolenShare, unit: '%' }, false);
  }
  if (host.throttledShare !== undefined && host.throttledShare > limits.throttledShare) {
    const measured = 100 * host.throttledShare;
    const limit = 100 * limits.throttledShare;
    const text = `A CPU quota (cgroup) held the browsers${name === '' ? '' : ` of host${name}`} back ${numberNear(measured, limit)} % of the time ${when} (limit ${limit} %).`;
    add({ code: 'probe-cpu', text, measured, limit, unit: '%' }, host.throttledShare >= limits.exhaustedShare);
  }
  if (host.memoryAvailableMbMin < limits.memoryMb) {
    const measured = host.memoryAvailableMbMin;
    const text = `The probe host${name} had ${numberNear(measured)} MB of memory left ${when} (limit ${limits.memoryMb} MB).`;
    add({ code: 'probe-host-memory', text, measured, limit: limits.memoryMb, unit: 'MB' }, true);
  }
  const { linkFullShare = 0, linkSpeedKbps = 0 } = host;
  if (linkFullShare > limits.linkFullShare) {
    const [measured, limit] = [100 * linkFullShare, 100 * limits.linkFullShare];
    const text = `The link of the probe host${name} was full ${numberNear(measured, limit)} % of the time ${when}: it carries ${numberNear(linkSpeedKbps / 1000)} Mbit/s (limit ${limit} %).`;
    add({ code: 'probe-host-link', text, measured, limit, unit: '%' }, linkFullShare >= limits.exhaustedShare);
  }
  return faults;
}

function saturation(
  name: string,
  host: HostLoad,
  when: string,
): Pick<Reason, 'text'> & { readonly code: 'environment' | 'probe-cpu' } {
  const { busyCores, probeCores, otherCores = 0, isLeast } = host.saturated;
  const seconds = host.saturatedShare * host.seconds;
  const told = numberNear(seconds < 1 ? seconds : Math.round(seconds));
  const full = `The probe host${name} was out of CPU in ${told} of ${Math.round(host.seconds)} s ${when}: ${numberNear(busyCores)} of ${host.cores} cores busy`;
  return otherCores >= limits.othersShare * host.cores
    ? {
        code: 'environment',
        text: `${full}, ${isLeast ? 'at least ' : ''}${numberNear(otherCores)} of them with other processes.`,
      }
    : { code: 'probe-cpu', text: `${full}, ${numberNear(probeCores)} of them with the browsers.` };
}
