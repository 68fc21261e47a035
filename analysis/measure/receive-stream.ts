import { type Aggregates, onlyMeasured } from '../../model/aggregate.js';
import type { StreamKind } from '../../model/scenario.js';
import type { LossScan } from './loss.js';
import type { MetricSums } from './metric-sums.js';
import type { ReadingFold } from './reading-fold.js';
import { percentOf } from './stream-reading.js';

/** Aggregates of a received stream; empty when getStats never had it in the window. */
export function receiveAggregates(readings: ReadingFold, kind: StreamKind, loss: LossScan): Aggregates {
  if (!readings.wasKnown) return {};
  if (kind === 'data') return messageAggregates(readings);
  const { sums, spread } = readings;
  const mediaBytes = allMediaBytes(sums);
  const ms = sums.countedMs('bytesReceived');
  const bytesPerSecond = mediaBytes === undefined || ms <= 0 ? undefined : (mediaBytes * 1000) / ms;
  return onlyMeasured({
    bitrateKbps: bytesPerSecond === undefined ? undefined : (bytesPerSecond * 8) / 1000,
    lossPercent: loss.percent,
    worstLossPercent5s: loss.worstPercent5s,
    ...(kind === 'video' ? atMost(loss) : {}),
    resentPercent: percentOf(sums.total('resentPacketsReceived'), sums.total('packetsReceived')),
    jitterMs: sums.mean('jitterMs'),
    jitterP95Ms: spread.percentile(),
    jitterBufferMs: sums.mean('jitterBufferMs'),
    ...markAggregates(readings),
    ...(kind === 'video' ? videoAggregates(readings) : audioAggregates(readings)),
  });
}

function messageAggregates(readings: ReadingFold): Aggregates {
  const { sums } = readings;
  const received = sums.total('messagesReceived');
  const lost = sums.total('messagesLost') ?? 0;
  return onlyMeasured({
    messagesPerSecond: sums.perSecond('messagesReceived'),
    lossPercent: percentOf(lost, received === undefined ? undefined : received + lost),
    repeatedMessages: sums.total('messagesRepeated'),
    ...markAggregates(readings),
  });
}

/** What `mediaBytesOf` says of each second, over all of them. */
function allMediaBytes(sums: MetricSums): number | undefined {
  const bytes = sums.total('bytesReceived');
  return bytes === undefined ? undefined : bytes - (sums.total('resentBytesReceived') ?? 0);
}

/** Only where padding may hide some: of what a repair is certain, there is one loss. */
function atMost({ percent, worstPercent5s, most }: LossScan) {
  if (!most) return {};
  return {
    ...(most.percent === percent ? {} : { lossPercentAtMost: most.percent }),
    ...(most.worstPercent5s === worstPercent5s ? {} : { worstLossPercent5sAtMost: most.worstPercent5s }),
  };
}

/** By the marks of its sender. */
function markAggregates({ sums, marks }: ReadingFold) {
  return {
    delayMs: sums.mean('delayMs'),
    shownMs: sums.mean('shownMs'),
    ...marks?.values(),
    foreignPercent: percentOf(sums.total('foreignFrames'), sums.total('markedFrames')),
  };
}

function videoAggregates(readings: ReadingFold) {
  const { sums, frozen: still, stutter, widths, heights, layer } = readings;
  const frozen = still?.time();
  const [qpSum, decoded] = [sums.total('qpSum'), sums.total('framesDecoded')];
  return {
    fps: sums.perSecond('framesDecoded'),
    frozenPercent: frozen?.percent,
    frozenMs: frozen?.totalMs,
    longestFreezeMs: frozen?.longestMs,
    freezes: sums.total('freezes'),
    framesDropped: sums.total('framesDropped'),
    stutterMs: stutter?.deviationMs(),
    qp: decoded && qpSum !== undefined ? qpSum / decoded : undefined,
    ssim: sums.mean('ssim'),
    vmaf: sums.mean('vmaf'),
    psnrDb: sums.mean('psnrDb'),
    keyFrames: sums.total('keyFramesDecoded'),
    nacksPerSecond: sums.perSecond('nacksSent'),
    plisPerSecond: sums.perSecond('plisSent'),
    frameWidth: widths?.median(),
    frameHeight: heights?.median(),
    ...layer?.values(),
    stillPercent: percentOf(sums.total('stillPictures'), sums.total('picturesRead')),
    blankPercent: percentOf(sums.total('blankPictures'), sums.total('picturesRead')),
  };
}

/** What a player adds to sound, or leaves out of it, to play more slowly or faster. */
function stretchedSamples(sums: MetricSums): number | undefined {
  const [inserted, removed] = [sums.total('insertedSamples'), sums.total('removedSamples')];
  return inserted === undefined || removed === undefined ? undefined : inserted + removed;
}

/** A stretch that began before the window is one all the same. */
function meanGap(sums: MetricSums): number | undefined {
  const events = sums.total('concealmentEvents');
  const percent = percentOf(sums.total('concealedSamples'), sums.total('totalSamples'));
  if (events === undefined || !percent) return undefined;
  return (percent / 100) * (sums.countedMs('totalSamples') / Math.max(1, events));
}

function audioAggregates({ sums, gaps, turns, speech }: ReadingFold) {
  return {
    concealedPercent: percentOf(sums.total('concealedSamples'), sums.total('totalSamples')),
    silentConcealedPercent: percentOf(sums.total('silentConcealedSamples'), sums.total('totalSamples')),
    concealedSecondsPercent: gaps?.brokenPercent(),
    stretchedPercent: percentOf(stretchedSamples(sums), sums.total('totalSamples')),
    discardedPercent: percentOf(sums.total('packetsDiscarded'), sums.total('packetsReceived')),
    synthesizedPercent: percentOf(sums.total('synthesizedPlayoutMs'), sums.total('playoutMs')),
    longestGapMs: gaps?.longest(),
    meanGapMs: meanGap(sums),
    audioLevel: sums.mean('audioLevel'),
    ...speech?.values(),
    ...turns?.values(),
    unansweredPercent: percentOf(sums.total('unansweredQuestions'), sums.total('questions')),
    interruptedPercent: percentOf(sums.total('interruptedQuestions'), sums.total('questions')),
  };
}
