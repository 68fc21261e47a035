import type { AggregateName } from '../../model/aggregate.js';
import { expectedStreams, isShared } from '../../model/expected-streams.js';
import { countedIn } from '../../model/load.js';
import type { ScenarioUnit } from '../../model/scenario.js';
import type { StreamSummary, TrialRecord } from '../../model/trial.js';
import type { Reason } from '../../model/verdict.js';
import { percentileOf } from '../arrivals/time-histogram.js';
import { legRoundTripMs } from '../measure/leg-round-trip.js';
import { highest, lowest } from '../statistics/statistics.js';
import { numberNear } from '../wording/wording.js';
import { left, pageColumns, right, type TextStyle } from './layout.js';

/** What a person calls each reason in one or two words. */
const shortNames: Readonly<Record<Reason['code'], string>> = {
  'join-failed': 'join failed',
  'join-late': 'join late',
  'storm-lasting': 'storm lasting',
  'queue-growing': 'queue grows',
  disconnected: 'disconnected',
  'no-media': 'no media',
  'first-frame-late': 'first frame',
  'low-bitrate': 'bitrate',
  'low-frame-rate': 'fps',
  'video-loss': 'video loss',
  'video-loss-burst': 'loss burst',
  'audio-loss': 'audio loss',
  jitter: 'jitter',
  'round-trip': 'rtt',
  'round-trip-peaks': 'rtt peaks',
  frozen: 'frozen',
  'audio-quality': 'audio MOS',
  'narrow-picture': 'width',
  'jitter-buffer': 'jitter buffer',
  'silent-sound': 'silent sound',
  'wrong-picture': 'wrong picture',
  'still-picture': 'still picture',
  'blank-picture': 'blank picture',
  'missing-person': 'missing person',
  'wrong-layer': 'wrong layer',
  'slow-switch': 'slow switch',
  'unasked-switch': 'unasked switch',
  'wrong-sound': 'wrong sound',
  'late-picture': 'late picture',
  'late-sound': 'late sound',
  'delay-growing': 'delay grows',
  'late-answer': 'late answer',
  unanswered: 'unanswered',
  'spoken-into': 'spoken into',
  'data-loss': 'data loss',
  'late-data': 'late data',
  'seated-gaps': 'gaps in joining',
  stutter: 'stutter',
  'sound-gap': 'sound gap',
  threshold: 'own limit',
  'bad-probes': 'bad probes',
  recording: 'recording',
  'presenter-starved': 'presenter',
  'server-lost': 'server lost',
  'server-excess': 'server excess',
  'turn-lost': 'TURN lost',
  'not-relayed': 'not relayed',
  'server-error': 'server error',
  'server-drops': 'server drops',
  'probe-cpu': 'probe cpu',
  'generator-late': 'generator late',
  'encoder-cpu-limited': 'encoder cpu',
  'page-timer-late': 'page late',
  'playout-late': 'playout late',
  'camera-short': 'camera short',
  'frames-not-replaced': 'frames not replaced',
  'samples-missing': 'samples missing',
  'browser-start': 'browser not started',
  'browser-crashed': 'browser crashed',
  'host-lost': 'probe host lost',
  'page-crashed': 'page crashed',
  'candidates-unusable': 'candidates unusable',
  'probe-host-memory': 'probe memory',
  'probe-host-link': 'probe link',
  'probe-socket-drops': 'probe sockets full',
  'probe-late': 'probe late',
  'kinds-disagree': 'kinds disagree',
  'media-changed': 'media changed',
  environment: 'environment',
  hurried: 'joined too fast',
  interrupted: 'interrupted',
};

export function shortNameOf(code: Reason['code']): string {
  return shortNames[code];
}

/** Each code once, worst first. */
function codesOf(record: TrialRecord): Reason['code'][] {
  return [...new Set(record.verdict.reasons.map((reason) => reason.code))];
}

/** Of cameras the lowest frame rate: slides on a screen change seldom. Of sound and pictures the highest loss. */
export function worstOf({ probes, streams, verdict }: TrialRecord) {
  const received = streams.filter((stream) => stream.direction === 'receive');
  const expected = expectedStreams(probes.map(({ participant }) => participant));
  const shared = new Set(
    expected
      .filter((one) => one.direction === 'receive' && isShared(one))
      .map(({ leg, stream }) => `${leg.id} ${stream}`),
  );
  const values = (name: AggregateName, isOf: (stream: StreamSummary) => boolean = () => true) =>
    received.filter(isOf).flatMap((stream) => stream.values[name] ?? []);
  const isMedia = ({ kind }: StreamSummary) => kind !== 'data';
  const noPicture = verdict.reasons.some(
    ({ code, stream }) => code === 'no-media' && stream?.kind === 'video' && stream.direction === 'receive',
  );
  return {
    fps: noPicture ? 0 : lowest(values('fps', ({ leg, stream }) => !shared.has(`${leg} ${stream}`))),
    frozenPercent: noPicture ? 100 : highest(values('frozenPercent')),
    lossPercent: highest(values('lossPercent', isMedia)),
    rttMs: legRoundTripMs(streams),
    delayP95Ms: highest(values('delayP95Ms', isMedia)),
    messageP95Ms: highest(values('delayP95Ms', (stream) => !isMedia(stream))),
  };
}

/** One line for pipes and logs: `trial=4 size=64 probes=128 up=128 verdict=unstable because=frozen,…`. */
export function trialLine(record: TrialRecord): string {
  const worst = worstOf(record);
  const { load } = record;
  const codes = codesOf(record);
  const fields: readonly (readonly [string, string | undefined])[] = [
    ['trial', String(record.index)],
    ['size', String(record.size)],
    ['probes', String(record.probesAsked)],
    ['up', String(record.probesUp)],
    ['verdict', record.verdict.kind],
    ['screened', record.screened ? 'yes' : undefined],
    ['disturbed', record.verdict.disturbedBy?.map(({ code }) => code).join(',')],
    ['because', codes.length === 0 ? undefined : codes.join(',')],
    ['fps_min', shown(worst.fps)],
    ['frozen_max', shown(worst.frozenPercent, '%')],
    ['loss_max', shown(worst.lossPercent, '%')],
    ['rtt_max', shown(worst.rttMs, 'ms')],
    ['delay_p95', shown(worst.delayP95Ms, 'ms')],
    ['message_p95', shown(worst.messageP95Ms, 'ms')],
    ['answer_p99', shown(answerMs(record, 99), 'ms')],
    ['server_cores', shown(load.serverCoresMean)],
    ['host_cpu', shown(load.probeHostBusyPercentMean, '%')],
  ];
  return fields.flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`)).join(' ');
}

function shown(value: number | undefined, unit = ''): string | undefined {
  return value === undefined ? undefined : numberNear(value) + unit;
}

/** The head of each figure of the live table, and how wide its column is. */
const columns = [
  ['trial', 5],
  ['size', 8],
  ['fps', 6],
  ['frozen', 8],
  ['loss', 8],
  ['rtt', 8],
  ['server', 7],
  ['host', 8],
] as const;
/** A terminal with less than a page's width shows trial, size and verdict alone. */
const columnsIn = (width: number) => (width < pageColumns ? columns.slice(0, 2) : columns);

/** The head of the live table; 80 columns at most. Every figure is that of the worst stream. */
export function trialRowHeader(unit: ScenarioUnit, isCounted = false, width = pageColumns): string {
  const heads = columnsIn(width).map(([head, width]) => {
    const own = head === 'size' ? unit.many : head;
    return right(isCounted ? (countedHeads[head] ?? own) : own, width);
  });
  return `${heads.join('')}  verdict`;
}

/** One trial in the live table; at most 80 columns. What could not be measured is a dash. */
export function trialRow(record: TrialRecord, style: TextStyle, width = pageColumns): string {
  const worst = worstOf(record);
  const { load } = record;
  const cell = (value: number | undefined, unit: string, limit?: number) =>
    value === undefined ? '-' : `${numberNear(value, limit)}${unit}`;
  const measured = answerCells(record)?.map(({ value, unit, all }) => cell(value, unit, all)) ?? [
    cell(worst.fps, ''),
    cell(worst.frozenPercent, ' %'),
    cell(worst.lossPercent, ' %'),
    cell(worst.rttMs, ' ms'),
  ];
  const machines = [cell(load.serverCoresMean, ' c'), cell(load.probeHostBusyPercentMean, ' %')];
  const cells = [String(record.index), String(record.size), ...measured, ...machines];
  const row = columnsIn(width)
    .map(([, wide], nth) => right(cells[nth] ?? '', wide))
    .join('');
  const verdict = left(verdictText(record), Math.min(width, pageColumns) - row.length - 2).trimEnd();
  return `${row}  ${verdictStyle(record, style)(verdict)}`;
}

function verdictText(record: TrialRecord): string {
  if (record.verdict.kind === 'stable') return `✓ stable${steered(record)}`;
  return `${record.verdict.kind === 'void' ? '?' : '✗'} ${shortReasons(record)}`;
}

/** Of a pass that confirms nothing. */
function steered({ screened, verdict }: TrialRecord): string {
  if (verdict.disturbedBy) return ', disturbed';
  return screened ? ', screened' : '';
}

/** "fps, frozen": each kind of reason once, worst first; empty when stable. */
export function shortReasons(record: TrialRecord): string {
  return codesOf(record)
    .map((code) => shortNames[code])
    .join(', ');
}

function verdictStyle({ verdict: { kind } }: TrialRecord, style: TextStyle): (text: string) => string {
  return kind === 'stable' ? style.good : kind === 'void' ? style.warn : style.bad;
}

/** From when participants were due, where they are counted. */
const answerMs = (record: TrialRecord, percent: number) => percentileOf(countedIn(record)?.answer, percent);

/** In place of figures of streams: the share that was answered, and percentiles of the time to the answer. */
const countedHeads: Readonly<Record<string, string>> = {
  size: 'rate',
  fps: 'up',
  frozen: 'p50',
  loss: 'p95',
  rtt: 'p99',
};

/** The figures under those heads; undefined of a trial of another load. */
function answerCells(record: TrialRecord) {
  const counted = countedIn(record);
  if (!counted) return undefined;
  const answered = counted.due === 0 ? undefined : (100 * counted.answered) / counted.due;
  const times = [50, 95, 99].map((percent) => ({ value: answerMs(record, percent), unit: ' ms', all: undefined }));
  return [{ value: answered, unit: '%', all: 100 }, ...times];
}
