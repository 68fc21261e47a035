import { type AggregateName, aggregateNames } from '../../model/aggregate.js';
import { measures } from '../../model/measures.js';
import type { MediaKind } from '../../model/scenario.js';
import type { StreamLimitId, ThresholdId } from '../../model/threshold-id.js';
import type { TrialRecord } from '../../model/trial.js';
import type { ThresholdResult, UnstableCode, Verdict } from '../../model/verdict.js';

/**
 * Thresholds were once told apart by what they were called. Their identity is read from that here, once, and nowhere else. The
 * words of then are history: what is called otherwise today is not looked up here.
 */
type EarlierThreshold = Omit<ThresholdResult, 'id'> & { readonly id?: ThresholdId };

type StreamId = Extract<ThresholdId, { of: 'stream' }>;
type EarlierVerdict = Omit<Verdict, 'thresholds'> & { readonly thresholds: readonly EarlierThreshold[] };

export function withThresholdIds(record: TrialRecord): TrialRecord {
  const { thresholds }: EarlierVerdict = record.verdict;
  if (thresholds.every(({ id }) => id !== undefined)) return record;
  return { ...record, verdict: { ...record.verdict, thresholds: thresholds.map(withId) } };
}

/** In the order in which the judge writes it, so that a trial that is judged again is compared to the byte. */
function withId({ id, ...threshold }: EarlierThreshold): ThresholdResult {
  return { id: id ?? idOf(threshold), ...threshold };
}

function idOf({ code, label, comparison }: Omit<EarlierThreshold, 'id'>): ThresholdId {
  const known = ofCode[code];
  const id = known?.(label) ?? ownJoin(label) ?? ownStream(label, comparison) ?? { of: 'other', name: label };
  if (id.of === 'stream') return { ...id, ...relationOf(label, id.aggregate) };
  return id.of === 'leg' && isOfLink(label) ? { ...id, beyondLink: true } : id;
}

const mosts = { comparison: 'at-most' } as const;
const leasts = { comparison: 'at-least' } as const;

const ofCode: Readonly<Partial<Record<UnstableCode, (label: string) => ThresholdId>>> = {
  'join-late': () => ({ of: 'join', time: 'time', statistic: 'max' }),
  'first-frame-late': () => ({ of: 'join', time: 'firstFrame', statistic: 'p95' }),
  'low-bitrate': () => ({ of: 'stream', aggregate: 'bitrateKbps', ...leasts }),
  'low-frame-rate': () => ({ of: 'stream', aggregate: 'fps', kind: 'video', ...leasts }),
  'video-loss': () => ({ of: 'stream', aggregate: 'lossPercent', kind: 'video', ...mosts }),
  'video-loss-burst': () => ({ of: 'stream', aggregate: 'worstLossPercent5s', kind: 'video', ...mosts }),
  'audio-loss': () => ({ of: 'stream', aggregate: 'lossPercent', kind: 'audio', ...mosts }),
  // 0.1 limited the jitter of everything that was received, and of audio alone later.
  jitter: (label) => ({
    of: 'stream',
    aggregate: 'jitterMs',
    ...(label.startsWith('audio ') ? { kind: 'audio' } : {}),
    direction: 'receive',
    ...mosts,
  }),
  frozen: () => ({ of: 'stream', aggregate: 'frozenPercent', kind: 'video', direction: 'receive', ...mosts }),
  'audio-quality': () => ({ of: 'stream', aggregate: 'mos', kind: 'audio', direction: 'receive', ...leasts }),
  'round-trip': () => ({ of: 'leg', aggregate: 'rttMs' }),
  'bad-probes': () => ({ of: 'bad-probes' }),
};

/** "audio loss beyond its link, mean", "audio MOS but for its link". */
const isOfLink = (label: string) => / (beyond|but for) its link\b/.test(label);

/** Besides: "frame rate, of the expected". Of frame rates only shares were ever counted from a link. */
function relationOf(label: string, aggregate: AggregateName): Pick<StreamId, 'shareOf' | 'beyondLink'> {
  if (isOfLink(label)) return { ...(aggregate === 'fps' ? { shareOf: 'expected' } : {}), beyondLink: true };
  const [, shareOf] = /, of the (baseline|expected)$/.exec(label) ?? [];
  return shareOf === undefined ? {} : { shareOf: shareOf === 'baseline' ? 'baseline' : 'expected' };
}

/** "join.firstFrame.p50". */
function ownJoin(label: string): ThresholdId | undefined {
  const [, time, statistic] = /^join\.(time|firstFrame)\.(max|p95|p50|mean)$/.exec(label) ?? [];
  if (time === undefined || statistic === undefined) return undefined;
  return { of: 'join', time, statistic } as ThresholdId;
}

/** "received.video.bitrate.mean", and what of it is judged behind that. */
function ownStream(label: string, comparison: StreamLimitId['comparison']): ThresholdId | undefined {
  const [, way, kind, name, statistic] = /^(?:(sent|received)\.)?(?:(audio|video)\.)?(\w+)\.(\w+)/.exec(label) ?? [];
  const aggregate = aggregateNames.find((one) => measures[one].name === name && measures[one].statistic === statistic);
  if (aggregate === undefined) return undefined;
  return {
    of: 'stream',
    aggregate,
    ...(kind === undefined ? {} : { kind: kind as MediaKind }),
    ...(way === undefined ? {} : { direction: way === 'sent' ? 'send' : 'receive' }),
    comparison,
  };
}
