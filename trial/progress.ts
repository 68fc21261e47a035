import type { TrialProgress } from '../model/run-event.js';
import type { TrialDesk } from './trial-desk.js';

/** What a person sees of a running trial in this second; `undefined` before its first phase. */
export function progressOf(desk: TrialDesk, nowMs: number): TrialProgress | undefined {
  const { now } = desk.journal;
  if (!now) return undefined;
  const probes = desk.probes();
  const latest = desk.evidence.latest();
  const [[probeHost], [server], [turn]] = [latest.probeHost, latest.server, latest.turn ?? []];
  return {
    phase: now.phase,
    elapsedMs: nowMs - now.startedAtMs,
    boundMs: now.boundMs,
    probesAsked: desk.participants.length,
    probesUp: probes.filter((probe) => probe.up && probe.failures.length === 0).length,
    probesFailed: probes.filter((probe) => probe.failures.length > 0).length,
    ...desk.intake.lastSecond(nowMs),
    ...(server?.cpuCores === undefined ? {} : { serverCores: server.cpuCores }),
    ...(turn?.cpuCores === undefined ? {} : { turnCores: turn.cpuCores }),
    ...(probeHost ? { hostBusyPercent: (100 * probeHost.busyCores) / probeHost.cores } : {}),
  };
}
