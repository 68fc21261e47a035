import type { AggregateName } from './aggregate.js';
import type { Direction, StreamKind } from './scenario.js';

/** How an aggregate is called in an expression, and for which streams it exists. */
export interface Measure {
  readonly name: string;
  readonly statistic: string;
  readonly kinds: readonly StreamKind[];
  readonly directions: readonly Direction[];
  /** It exists for received messages, too, where an expression names them: `received.data.loss.mean`. */
  readonly ofData?: true;
  /** `either` can be limited from both sides. */
  readonly better: 'less' | 'more' | 'either';
  /** True for what the baseline keeps, so that a limit can be a share of it. */
  readonly inBaseline?: true;
  /** True for what of a sent stream only the server's reports say: some servers send none. */
  readonly reported?: true;
  /** Without that no probe measures it, whatever the stream. */
  readonly needs?: Need;
}

/** What a plan has to ask for, so that somebody measures a value. */
export type Need =
  | 'marks'
  | 'drawn-marks'
  | 'any-marks'
  | 'comparison'
  | 'layers'
  | 'questions'
  | 'pauses'
  | 'clips'
  | 'app';

/** What only marks say, or pictures beside those that were sent: not every probe reads these. */
const bySomeProbes = new Set<Need | undefined>(['marks', 'drawn-marks', 'any-marks', 'comparison', 'questions']);

export const isReadBySome = ({ needs }: Measure): boolean => bySomeProbes.has(needs);

const all = { kinds: ['audio', 'video'], directions: ['receive', 'send'] } as const;
const messages = { kinds: ['data'], directions: ['receive', 'send'] } as const;
const receivedMessages = { kinds: ['data'], directions: ['receive'] } as const;
const allAudio = { kinds: ['audio'], directions: ['receive', 'send'] } as const;
const video = { kinds: ['video'], directions: ['receive', 'send'] } as const;
const received = { kinds: ['audio', 'video'], directions: ['receive'] } as const;
const delayed = { ...received, ofData: true } as const;
const receivedVideo = { kinds: ['video'], directions: ['receive'] } as const;
const receivedAudio = { kinds: ['audio'], directions: ['receive'] } as const;
const sent = { kinds: ['audio', 'video'], directions: ['send'] } as const;
const sentVideo = { kinds: ['video'], directions: ['send'] } as const;

/** Every aggregate has a name in expressions; `docs/reference/measuring.md` lists them and a test compares. */
export const measures: Readonly<Record<AggregateName, Measure>> = {
  bitrateKbps: { name: 'bitrate', statistic: 'mean', ...all, better: 'either', inBaseline: true },
  fps: { name: 'fps', statistic: 'mean', ...video, better: 'more', inBaseline: true },
  lossPercent: { name: 'loss', statistic: 'mean', ...all, ofData: true, better: 'less', reported: true },
  worstLossPercent5s: { name: 'loss', statistic: 'worst5s', ...all, better: 'less', reported: true },
  lossPercentAtMost: { name: 'lossAtMost', statistic: 'mean', ...receivedVideo, better: 'less' },
  worstLossPercent5sAtMost: { name: 'lossAtMost', statistic: 'worst5s', ...receivedVideo, better: 'less' },
  jitterMs: { name: 'jitter', statistic: 'mean', ...all, better: 'less', reported: true },
  jitterP95Ms: { name: 'jitter', statistic: 'p95', ...received, better: 'less' },
  rttMs: { name: 'rtt', statistic: 'mean', ...sent, better: 'less', reported: true },
  rttP95Ms: { name: 'rtt', statistic: 'p95', ...sent, better: 'less', reported: true },
  legRttMs: { name: 'legRtt', statistic: 'mean', ...all, better: 'less' },
  legRttP95Ms: { name: 'legRtt', statistic: 'p95', ...all, better: 'less' },
  roundTripsDropped: { name: 'roundTripsDropped', statistic: 'count', ...sent, better: 'less' },
  legRoundTripsDropped: { name: 'legRoundTripsDropped', statistic: 'count', ...all, better: 'less' },
  jitterBufferMs: { name: 'jitterBuffer', statistic: 'mean', ...received, better: 'less' },
  delayMs: { name: 'delay', statistic: 'mean', ...delayed, better: 'less', needs: 'marks' },
  delayP95Ms: { name: 'delay', statistic: 'p95', ...delayed, better: 'less', needs: 'marks' },
  delayMaxMs: { name: 'delay', statistic: 'max', ...delayed, better: 'less', needs: 'marks' },
  delayRiseMs: { name: 'delay', statistic: 'rise', ...delayed, better: 'less', needs: 'marks' },
  delayBoundMs: { name: 'delay', statistic: 'bound', ...delayed, better: 'less', needs: 'any-marks' },
  foreignPercent: { name: 'foreign', statistic: 'share', ...received, better: 'less', needs: 'any-marks' },
  shownMs: { name: 'shown', statistic: 'mean', ...receivedVideo, better: 'less', needs: 'drawn-marks' },
  shownP95Ms: { name: 'shown', statistic: 'p95', ...receivedVideo, better: 'less', needs: 'drawn-marks' },
  stillPercent: { name: 'still', statistic: 'share', ...receivedVideo, better: 'less', needs: 'drawn-marks' },
  blankPercent: { name: 'blank', statistic: 'share', ...receivedVideo, better: 'less', needs: 'drawn-marks' },
  missingPercent: { name: 'missing', statistic: 'share', ...receivedVideo, better: 'less', needs: 'drawn-marks' },
  drawnFps: { name: 'drawn', statistic: 'mean', ...sentVideo, better: 'more', needs: 'drawn-marks' },
  syncP95Ms: { name: 'sync', statistic: 'p95', ...receivedVideo, better: 'less', needs: 'marks' },
  playedApartP95Ms: { name: 'playedApart', statistic: 'p95', ...receivedVideo, better: 'less' },
  frozenPercent: { name: 'frozen', statistic: 'share', ...receivedVideo, better: 'less' },
  frozenMs: { name: 'frozen', statistic: 'total', ...receivedVideo, better: 'less' },
  longestFreezeMs: { name: 'frozen', statistic: 'longest', ...receivedVideo, better: 'less' },
  freezes: { name: 'freezes', statistic: 'count', ...receivedVideo, better: 'less' },
  framesDropped: { name: 'framesDropped', statistic: 'count', ...receivedVideo, better: 'less' },
  stutterMs: { name: 'stutter', statistic: 'deviation', ...receivedVideo, better: 'less' },
  qp: { name: 'qp', statistic: 'mean', ...receivedVideo, better: 'less' },
  ssim: { name: 'ssim', statistic: 'mean', ...receivedVideo, better: 'more', inBaseline: true, needs: 'comparison' },
  ssimP5: { name: 'ssim', statistic: 'p5', ...receivedVideo, better: 'more', needs: 'comparison' },
  vmaf: { name: 'vmaf', statistic: 'mean', ...receivedVideo, better: 'more', inBaseline: true, needs: 'comparison' },
  vmafP5: { name: 'vmaf', statistic: 'p5', ...receivedVideo, better: 'more', needs: 'comparison' },
  psnrDb: { name: 'psnr', statistic: 'mean', ...receivedVideo, better: 'more', needs: 'comparison' },
  keyFrames: { name: 'keyFrames', statistic: 'count', ...video, better: 'either' },
  nacksPerSecond: { name: 'nacks', statistic: 'mean', ...video, better: 'less' },
  plisPerSecond: { name: 'plis', statistic: 'mean', ...video, better: 'less' },
  frameWidth: { name: 'frameWidth', statistic: 'median', ...video, better: 'either', inBaseline: true },
  frameHeight: { name: 'frameHeight', statistic: 'median', ...video, better: 'either' },
  belowLayerPercent: { name: 'belowLayer', statistic: 'share', ...receivedVideo, better: 'less', needs: 'layers' },
  aboveLayerPercent: { name: 'aboveLayer', statistic: 'share', ...receivedVideo, better: 'less', needs: 'layers' },
  switchP95Ms: { name: 'switch', statistic: 'p95', ...receivedVideo, better: 'less', needs: 'layers' },
  switches: { name: 'switches', statistic: 'count', ...receivedVideo, better: 'either', needs: 'layers' },
  unaskedSwitches: { name: 'unaskedSwitches', statistic: 'count', ...receivedVideo, better: 'less', needs: 'layers' },
  lowLayerKbps: { name: 'lowLayer', statistic: 'mean', ...receivedVideo, better: 'more', needs: 'layers' },
  middleLayerKbps: { name: 'middleLayer', statistic: 'mean', ...receivedVideo, better: 'more', needs: 'layers' },
  highLayerKbps: { name: 'highLayer', statistic: 'mean', ...receivedVideo, better: 'more', needs: 'layers' },
  lowLayerPercent: { name: 'lowLayer', statistic: 'share', ...receivedVideo, better: 'either', needs: 'layers' },
  middleLayerPercent: { name: 'middleLayer', statistic: 'share', ...receivedVideo, better: 'either', needs: 'layers' },
  highLayerPercent: { name: 'highLayer', statistic: 'share', ...receivedVideo, better: 'either', needs: 'layers' },
  concealedPercent: { name: 'concealed', statistic: 'share', ...receivedAudio, better: 'less' },
  silentConcealedPercent: { name: 'silentConcealed', statistic: 'share', ...receivedAudio, better: 'less' },
  concealedSecondsPercent: { name: 'concealed', statistic: 'seconds', ...receivedAudio, better: 'less' },
  stretchedPercent: { name: 'stretched', statistic: 'share', ...receivedAudio, better: 'less' },
  discardedPercent: { name: 'discarded', statistic: 'share', ...receivedAudio, better: 'less' },
  synthesizedPercent: { name: 'synthesized', statistic: 'share', ...receivedAudio, better: 'less' },
  longestGapMs: { name: 'gap', statistic: 'longest', ...receivedAudio, better: 'less' },
  meanGapMs: { name: 'gap', statistic: 'mean', ...receivedAudio, better: 'less' },
  answerP50Ms: { name: 'answer', statistic: 'p50', ...receivedAudio, better: 'less', needs: 'questions' },
  answerP95Ms: { name: 'answer', statistic: 'p95', ...receivedAudio, better: 'less', needs: 'questions' },
  unansweredPercent: { name: 'unanswered', statistic: 'share', ...receivedAudio, better: 'less', needs: 'questions' },
  interruptedPercent: { name: 'interrupted', statistic: 'share', ...receivedAudio, better: 'less', needs: 'questions' },
  spokenPercent: { name: 'spoken', statistic: 'share', ...allAudio, better: 'either', needs: 'pauses' },
  audioLevel: { name: 'level', statistic: 'mean', ...receivedAudio, better: 'either' },
  mos: { name: 'mos', statistic: 'mean', ...receivedAudio, better: 'more' },
  messagesPerSecond: { name: 'messages', statistic: 'mean', ...messages, better: 'more' },
  repeatedMessages: { name: 'repeated', statistic: 'count', ...receivedMessages, better: 'less' },
  seatedGapPercent: { name: 'seatedGap', statistic: 'share', ...received, better: 'less' },
  seatedGapMs: { name: 'seatedGap', statistic: 'total', ...received, better: 'less' },
  seatedLossPercent: { name: 'seatedLoss', statistic: 'mean', ...received, better: 'less' },
  targetKbps: { name: 'target', statistic: 'mean', ...sent, better: 'either' },
  estimateKbps: { name: 'estimate', statistic: 'mean', ...sentVideo, better: 'either' },
  resentPercent: { name: 'resent', statistic: 'share', ...all, better: 'less' },
  replacedPercent: { name: 'replaced', statistic: 'share', ...sentVideo, better: 'more', needs: 'clips' },
  sourceFps: { name: 'sourceFps', statistic: 'mean', ...sentVideo, better: 'more' },
  askedFps: { name: 'askedFps', statistic: 'mean', ...sentVideo, better: 'either', needs: 'app' },
  encodeMsPerFrame: { name: 'encode', statistic: 'mean', ...sentVideo, better: 'less' },
  cpuLimitedPercent: { name: 'cpuLimited', statistic: 'share', ...sentVideo, better: 'less' },
  bandwidthLimitedPercent: { name: 'bandwidthLimited', statistic: 'share', ...sentVideo, better: 'less' },
};

/** Whether it exists for such a stream. */
export const isMeasured = (
  { kinds, directions, ofData }: Pick<Measure, 'kinds' | 'directions' | 'ofData'>,
  { kind, direction }: { readonly kind: StreamKind; readonly direction: Direction },
): boolean =>
  kind === 'data' && ofData ? direction === 'receive' : kinds.includes(kind) && directions.includes(direction);

/** What may follow a number, by the unit it measures; the factor leads to the catalogue's unit. */
export const unitWords: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  '%': { '%': 1 },
  ms: { ms: 1, s: 1000 },
  'kbit/s': { 'kbit/s': 1, kbps: 1, kbit: 1, 'Mbit/s': 1000, 'mbit/s': 1000, mbps: 1000, Mbps: 1000, mbit: 1000 },
  fps: { fps: 1, '': 1 },
  px: { px: 1, '': 1 },
  '1/s': { '/s': 1, '': 1 },
  count: { '': 1 },
  MOS: { '': 1, MOS: 1 },
  level: { '': 1 },
  SSIM: { '': 1 },
  VMAF: { '': 1 },
  dB: { '': 1, dB: 1 },
  probes: { '': 1, probes: 1 },
};
