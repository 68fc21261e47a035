import { firstFrameWaitMs } from '../../model/first-frame.js';
import { ofHost } from '../../model/probe-host.js';
import { serverEventName, serverEventText } from '../../model/server-event.js';
import type { JoinTimes, ProbeRecord, TrialEvent, TrialRecord } from '../../model/trial.js';
import { isConfirming, type ThresholdResult } from '../../model/verdict.js';
import { arrivalPoints } from './arrival-points.js';
import type { DataPoint, Tags } from './data-point.js';
import { layeredStream } from './sample-points.js';

/** Something that happened; `nth` in its trial, because two things may happen in one millisecond. */
export function eventPoint(trial: Tags, size: number, event: TrialEvent, nth: number): DataPoint {
  const { type, atMs } = event;
  return {
    measurement: 'loadline_event',
    tags: { ...trial, type },
    fields: { size, title: `trial ${trial.trial} (size ${size})`, ...eventFields(event) },
    isOfSecond: false,
    atMs,
    nth,
  };
}

function eventFields(event: TrialEvent): DataPoint['fields'] {
  switch (event.type) {
    case 'phase':
      return { text: event.phase };
    case 'probe-up':
      return { text: `${event.probe} is up`, probe: event.probe, ...joinFields(event.join) };
    case 'probe-failed': {
      const { probe, code, detail } = event.failure;
      return { text: `${probe} failed: ${detail} (${code})`, probe, code };
    }
    case 'browser-crashed':
      return {
        text: `browser ${event.browser}${ofHost(event.host)} ended by itself; it played ${event.probes.join(', ')}`,
      };
    case 'host-lost':
      return { text: `probe host ${event.host} went away: ${event.detail}; it played ${event.probes.join(', ')}` };
    case 'page-log':
      return { text: `page ${event.page}${ofHost(event.host)}, ${event.level}: ${event.text}` };
    case 'server':
      return { text: `${serverEventName(event)}: ${serverEventText(event)}`, code: serverEventName(event) };
    case 'app-value':
      return { text: `${event.probe} told ${event.name}`, probe: event.probe, value: event.value };
    case 'warning':
      return { text: event.text };
    case 'network':
      return { text: `the network "${event.network}"${ofHost(event.host)} changed, as planned` };
  }
}

/** What a trial came to, written when it has: its verdict, its limits, its probes and their streams over the window. */
export function trialPoints(trial: Tags, record: TrialRecord): readonly DataPoint[] {
  const atMs = record.endedAtMs;
  const people = new Map(record.probes.map((probe) => [probe.participant.id, probe]));
  const whose = (probe: string) => {
    const { participant, host } = people.get(probe) ?? {};
    return { ...trial, probe, host, session: participant?.session, role: participant?.role };
  };
  return [
    {
      measurement: 'loadline_trial',
      tags: { ...trial, verdict: record.verdict.kind },
      fields: trialFields(record),
      isOfSecond: false,
      atMs,
    },
    ...record.verdict.thresholds.map((threshold, nth) => ({
      measurement: 'loadline_threshold',
      tags: { ...trial, code: threshold.code },
      fields: { size: record.size, ...thresholdFields(threshold) },
      isOfSecond: false,
      atMs,
      nth,
    })),
    ...record.probes.map((probe) => ({
      measurement: 'loadline_probe_trial',
      tags: whose(probe.participant.id),
      fields: probeFields(probe),
      isOfSecond: false,
      atMs,
    })),
    ...record.streams.map(({ probe, values, ...stream }) => ({
      measurement: 'loadline_stream_trial',
      ...layeredStream(whose(probe), people.get(probe)?.participant.legs, {
        ...stream,
        fields: { size: record.size, ...values },
      }),
      isOfSecond: false,
      atMs,
    })),
    ...arrivalPoints(trial, record),
    verdictEvent(trial, record),
  ];
}

function thresholdFields(threshold: ThresholdResult): DataPoint['fields'] {
  const { label, unit, limit, limitText, worst, upTo, worstProbe, passed } = threshold;
  // What is not known is no value, or it would be drawn as one.
  const known = upTo === undefined ? (worst ?? undefined) : undefined;
  return { label, unit, limit, limitText, worst: known, upTo, worstProbe, passed };
}

function trialFields(record: TrialRecord): DataPoint['fields'] {
  const { verdict, window } = record;
  // Each host, and each server of a cluster, has its readings second by second.
  const { hosts: _, servers: __, serverThread, ...load } = record.load;
  return {
    ...load,
    serverThreadCoresMean: serverThread?.coresMean,
    serverThreadWaitedPercent: serverThread?.waitedPercent,
    size: record.size,
    stable: verdict.kind === 'stable' ? 1 : 0,
    confirms: verdict.kind === 'stable' && isConfirming(record) ? 1 : 0,
    unstable: verdict.kind === 'unstable' ? 1 : 0,
    void: verdict.kind === 'void' ? 1 : 0,
    probesAsked: record.probesAsked,
    probesUp: record.probesUp,
    why: record.why,
    startedAtMs: record.startedAtMs,
    tookMs: record.endedAtMs - record.startedAtMs,
    windowStartMs: window?.startMs,
    windowEndMs: window?.endMs,
    endedEarly: record.endedEarly !== undefined,
    reasons: verdict.reasons.length,
    because: verdict.reasons[0]?.text ?? 'every limit is kept',
    resetMs: record.reset?.tookMs,
    idleCores: record.reset?.idleCores,
  };
}

function probeFields({ browser, page, up, join, failures }: ProbeRecord): DataPoint['fields'] {
  return { browser, page, up, failures: failures.length, failure: failures[0]?.code, ...joinFields(join) };
}

/**
 * The first frame is timed as it is judged, once its sources had started; all other times are from the probe's own
 * start.
 */
function joinFields(join: JoinTimes): DataPoint['fields'] {
  return { ...join, firstFrameMs: firstFrameWaitMs(join) };
}

/** After every other event of the trial in the same millisecond. */
function verdictEvent(trial: Tags, { size, verdict, endedAtMs, events }: TrialRecord): DataPoint {
  const because = verdict.reasons[0]?.text;
  return {
    measurement: 'loadline_event',
    tags: { ...trial, type: 'verdict' },
    fields: {
      size,
      title: `trial ${trial.trial} (size ${size}) is ${verdict.kind}`,
      text: because ?? 'every limit is kept',
      code: verdict.kind,
    },
    isOfSecond: false,
    atMs: endedAtMs,
    nth: events.length,
  };
}
