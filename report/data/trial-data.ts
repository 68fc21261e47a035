import { promisify } from 'node:util';
import { constants, deflateRaw } from 'node:zlib';
import { countOf } from '../../analysis/report/headline.js';
import { patternSentence, patternsOf } from '../../analysis/report/pattern-sentences.js';
import type { ProbeArtifacts } from '../../model/artifacts.js';
import type { Evidence } from '../../model/evidence.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { given } from '../../model/given.js';
import { hostOf, ofHost } from '../../model/probe-host.js';
import type { Sample } from '../../model/sample.js';
import { serverEventName, serverEventText } from '../../model/server-event.js';
import type { Baseline, TrialEvent, TrialRecord } from '../../model/trial.js';
import type { Artifacts, TrialData } from '../wire/trial-data.js';
import { CurveFold, type Folded, type FoldOrder } from './curve-fold.js';
import type { Span } from './curve-grid.js';
import { curveStreams } from './curve-streams.js';
import { hostPointMs } from './host-curves.js';
import { askedStreams } from './layer-curves.js';
import { machineCurves } from './machine-curves.js';
import { probeRows, streamRows } from './probe-rows.js';

/** What of a stored run is read trial by trial. */
export interface TrialSource {
  visitSamples(trialIndex: number, visit: (samples: readonly Sample[]) => void): Promise<string | undefined>;
  readEvidence(trialIndex: number): Promise<{ readonly value: Evidence; readonly warning?: string }>;
  /** The same samples, folded beside this thread, each probe's in one part; `undefined`: visit them. */
  foldApart?(trialIndex: number, order: FoldOrder): Promise<readonly Folded[] | undefined>;
  /** What was kept of probes that failed; absent where nothing ever is. */
  readArtifacts?(trialIndex: number): Promise<readonly ProbeArtifacts[]>;
}

const mostEvents = 400;
const deflate = promisify(deflateRaw);

interface ShownTrial {
  readonly record: TrialRecord;
  readonly baseline: Baseline | null;
  readonly span: Span;
}

export async function trialData(
  run: FinishedRun,
  { record, baseline, span }: ShownTrial,
  source: TrialSource,
): Promise<{ readonly data: TrialData; readonly cells: Uint16Array }> {
  const probes = record.probes.map(({ participant }) => participant.id);
  const { probes: records } = record;
  const order = { probes, streams: curveStreams(records), asked: askedStreams(records), span };
  const fold = new CurveFold(order);
  const apart = await source.foldApart?.(record.index, order);
  for (const part of apart ?? []) fold.addFolded(part);
  const torn = apart ? undefined : await source.visitSamples(record.index, (samples) => fold.add(samples));
  const { grid, lags, layers } = fold;
  const evidence = await source.readEvidence(record.index);
  const { cells, table } = grid.table();
  const { window, verdict } = record;
  const happened = record.events.flatMap((event) => eventText(event, span));
  const patterns = patternsOf([record]).flatMap((one) => one.patterns.map((pattern) => patternSentence(run, pattern)));
  const data: TrialData = {
    index: record.index,
    size: countOf(run, record.size),
    verdict: verdict.kind,
    ...(window ? { windowS: (window.endMs - window.startMs) / 1000 } : {}),
    probes: probeRows(record, baseline, keptOf(record, (await source.readArtifacts?.(record.index)) ?? [])),
    streams: streamRows(record, baseline),
    curves: table,
    layers: layers.curves(),
    machines: machineCurves(evidence.value, span, lags),
    limits: limitsOf(record),
    reasons: verdict.reasons.map(({ text }) => text),
    patterns,
    events: happened.slice(0, mostEvents),
    notes: [torn ?? [], evidence.warning ?? [], pointNote(evidence.value, span), eventNote(happened.length)].flat(),
  };
  return { data, cells };
}

function pointNote({ probeHost }: Evidence, span: Span): string[] {
  const pointMs = hostPointMs(probeHost, span);
  return pointMs <= 1000 ? [] : [`Curves of the probe hosts show the worst of each ${pointMs / 1000} s.`];
}

const eventNote = (count: number): string[] =>
  count <= mostEvents ? [] : [`Of ${count} things that happened the first ${mostEvents} are shown.`];

function limitsOf({ verdict }: TrialRecord): TrialData['limits'] {
  const limit = (code: string) => verdict.thresholds.find((threshold) => threshold.code === code)?.limit;
  const bitrate = limit('low-bitrate');
  const loss = limit('video-loss');
  return {
    ...given({ bitratePercentOfBaseline: bitrate, lossPercent: loss }),
  };
}

function eventText(event: TrialEvent, { zeroMs }: Span): TrialData['events'] {
  const atS = Math.round((event.atMs - zeroMs) / 100) / 10;
  switch (event.type) {
    case 'phase':
      return [{ atS, text: `phase ${event.phase}` }];
    case 'probe-failed':
      return [{ atS, text: `${event.failure.probe} failed (${event.failure.code}): ${event.failure.detail}` }];
    case 'browser-crashed':
      return [
        { atS, text: `browser ${event.browser}${ofHost(event.host)} crashed, and with it ${event.probes.join(', ')}` },
      ];
    case 'host-lost':
      return [
        { atS, text: `probe host ${event.host} went away, and with it ${event.probes.join(', ')}: ${event.detail}` },
      ];
    case 'page-log':
      return [{ atS, text: `page ${event.page}${ofHost(event.host)}, ${event.level}: ${event.text}` }];
    case 'server':
      return [{ atS, text: `server, ${serverEventName(event)}: ${serverEventText(event)}` }];
    case 'app-value':
      return [{ atS, text: `${event.probe} told ${event.name}: ${event.value}` }];
    case 'warning':
      return [{ atS, text: event.text }];
    case 'network':
      return [{ atS, text: `the network "${event.network}"${ofHost(event.host)} changed, as planned` }];
    default:
      return [];
  }
}

/**
 * Base64 of raw deflate (RFC 1951) of: the length of the JSON, the JSON, and the cells as two planes, all high bytes
 * before all low ones, because bytes that are alike pack better side by side.
 */
export async function packed({
  data,
  cells,
}: {
  readonly data: TrialData;
  readonly cells: Uint16Array;
}): Promise<string> {
  const json = Buffer.from(JSON.stringify(data));
  const bytes = Buffer.alloc(4 + json.length + 2 * cells.length);
  bytes.writeUInt32LE(json.length, 0);
  json.copy(bytes, 4);
  const high = 4 + json.length;
  cells.forEach((cell, index) => {
    bytes[high + index] = cell >> 8;
    bytes[high + cells.length + index] = cell & 255;
  });
  return (await deflate(bytes, { level: constants.Z_DEFAULT_COMPRESSION })).toString('base64');
}

/** What was kept of the probes of a trial, by probe, with what their pages wrote to the console. */
export function keptOf(record: TrialRecord, artifacts: readonly ProbeArtifacts[]): ReadonlyMap<string, Artifacts> {
  const own = artifacts.filter(({ atMs }) => atMs >= record.startedAtMs && atMs <= record.endedAtMs);
  return new Map(
    own.map(({ probe, picture, texts }) => {
      const console = consoleOf(record, probe);
      const all = console === '' ? texts : [...texts, { name: 'page console', text: console }];
      return [probe, { texts: all, ...(isPicture(picture) ? { picture } : {}) }];
    }),
  );
}

function consoleOf({ probes, events }: TrialRecord, probe: string): string {
  const own = probes.find(({ participant }) => participant.id === probe);
  return events
    .flatMap((event) => {
      const isOwn = event.type === 'page-log' && event.page === own?.page && hostOf(event) === hostOf(own);
      return isOwn ? `${event.level}: ${event.text}` : [];
    })
    .join('\n');
}

/** A run directory may have been changed by hand: nothing but a small JPEG is shown. */
function isPicture(picture: string | undefined): picture is string {
  return picture !== undefined && /^data:image\/jpeg;base64,[A-Za-z0-9+/=]+$/.test(picture);
}
