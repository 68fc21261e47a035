/**
 * What a window says of one stream: the names in `StreamSummary.values`. Each is absent when it could not be measured.
 * `docs/reference/measuring.md` lists them; a test compares. What `needsPlayer` is known only where media is decoded
 * and played, and so not of probes without a browser.
 */
export const aggregates = {
  bitrateKbps: { unit: 'kbit/s', about: 'payload bytes received or sent × 8 / time' },
  fps: { unit: 'fps', about: 'frames decoded, or frames sent, per second' },
  lossPercent: {
    unit: '%',
    about:
      'lost after resending, of what should have come; of messages, not there 2 s after they were due; sent: as the server reports',
  },
  worstLossPercent5s: { unit: '%', about: 'the highest loss in any 5 s, or in the reports that cover them' },
  lossPercentAtMost: {
    unit: '%',
    about: 'received video: the loss if nothing was repaired where padding may hide it; else the same as the loss',
  },
  worstLossPercent5sAtMost: { unit: '%', about: 'the same of the highest loss in any 5 s' },
  jitterMs: { unit: 'ms', about: 'mean interarrival jitter; of a sent stream, as the server sees it' },
  jitterP95Ms: { unit: 'ms', about: '95th percentile of the seconds' },
  rttMs: { unit: 'ms', about: 'sent streams: mean round trip of the media reports' },
  rttP95Ms: { unit: 'ms', about: 'sent streams: 95th percentile of the seconds' },
  legRttMs: { unit: 'ms', about: "mean round trip of the leg's selected candidate pair" },
  legRttP95Ms: {
    unit: 'ms',
    about: "95th percentile of the leg's round trips, by its candidate pair and by reports; never a single one",
  },
  roundTripsDropped: { unit: 'count', about: 'sent streams: round trips of reports that cannot be, left out' },
  legRoundTripsDropped: { unit: 'count', about: "the same of the leg's candidate pair" },
  jitterBufferMs: { unit: 'ms', about: 'time in the jitter buffer: mean of the seconds', needsPlayer: true },
  delayMs: {
    unit: 'ms',
    about:
      'one way, from when a frame or a packet of sound was taken, or a message sent, until it was there: mean of the seconds',
  },
  delayP95Ms: { unit: 'ms', about: "95th percentile of the seconds' means; never a single one" },
  delayMaxMs: { unit: 'ms', about: 'the longest of them' },
  delayBoundMs: { unit: 'ms', about: 'by so much the clocks of two hosts leave delays open; absent on one clock' },
  delayRiseMs: { unit: 'ms', about: 'by how much more it is late at the end of the window than at its start' },
  foreignPercent: { unit: '%', about: "what is of another sender than the one expected, of all with a sender's mark" },
  shownMs: {
    unit: 'ms',
    about: 'from when a picture was taken until it was shown: mean of the seconds',
    needsPlayer: true,
  },
  shownP95Ms: { unit: 'ms', about: "95th percentile of the seconds' means; never a single one", needsPlayer: true },
  stillPercent: {
    unit: '%',
    about: 'looks that found the picture of the look before, although frames were shown since',
    needsPlayer: true,
  },
  blankPercent: { unit: '%', about: 'looks that found a picture of one colour', needsPlayer: true },
  missingPercent: {
    unit: '%',
    about: 'looks at a mixed picture that did not find the member who was found least',
    needsPlayer: true,
  },
  drawnFps: { unit: 'fps', about: 'frames of the camera that went to the encoder with a drawn mark, per second' },
  syncP95Ms: {
    unit: 'ms',
    about: 'how far delays of pictures and of their sound are apart on arrival: p95 of seconds',
  },
  playedApartP95Ms: {
    unit: 'ms',
    about: 'how far apart pictures and their sound are played: p95 of seconds',
    needsPlayer: true,
  },
  frozenPercent: { unit: '%', about: 'share of the time in which the picture stood still' },
  frozenMs: { unit: 'ms', about: 'the same time, in all' },
  longestFreezeMs: { unit: 'ms', about: 'the longest single freeze that is known of' },
  freezes: { unit: 'count', about: 'freezes that ended in the window' },
  framesDropped: { unit: 'count', about: 'frames dropped before they were shown', needsPlayer: true },
  stutterMs: {
    unit: 'ms',
    about: 'standard deviation of the time between decoded frames, freezes left out',
    needsPlayer: true,
  },
  qp: { unit: 'count', about: 'mean quantisation parameter of the decoded frames', needsPlayer: true },
  ssim: {
    unit: 'SSIM',
    about: 'how like the sent pictures those that were shown are, 0 to 1: mean of the seconds',
    needsPlayer: true,
  },
  ssimP5: { unit: 'SSIM', about: '5th percentile of the seconds; never a single one', needsPlayer: true },
  vmaf: { unit: 'VMAF', about: 'the same by VMAF, 0 to 100: mean of the seconds', needsPlayer: true },
  vmafP5: { unit: 'VMAF', about: '5th percentile of the seconds; never a single one', needsPlayer: true },
  psnrDb: { unit: 'dB', about: 'peak signal to noise of their luma: mean of the seconds', needsPlayer: true },
  keyFrames: { unit: 'count', about: 'key frames decoded or encoded' },
  nacksPerSecond: { unit: '1/s', about: 'NACK packets from the receiver of the stream' },
  plisPerSecond: { unit: '1/s', about: 'PLI packets from the receiver of the stream' },
  frameWidth: { unit: 'px', about: 'median frame width', needsPlayer: true },
  frameHeight: { unit: 'px', about: 'median frame height', needsPlayer: true },
  belowLayerPercent: {
    unit: '%',
    about: 'time below the layer asked for: share of the time with pictures in which one was asked for',
  },
  aboveLayerPercent: { unit: '%', about: 'time above it: share of all time with pictures' },
  switchP95Ms: {
    unit: 'ms',
    about: 'from when another layer was asked for until its first picture: 95th percentile',
  },
  switches: { unit: 'count', about: 'those of them' },
  unaskedSwitches: { unit: 'count', about: 'how often pictures became of another layer and nobody had asked' },
  lowLayerKbps: { unit: 'kbit/s', about: 'mean bit rate while the low layer was asked for, where that changes' },
  middleLayerKbps: { unit: 'kbit/s', about: 'the same of the middle layer' },
  highLayerKbps: { unit: 'kbit/s', about: 'the same of the high layer' },
  lowLayerPercent: { unit: '%', about: 'share of the time with a layer asked for in which it was the low one' },
  middleLayerPercent: { unit: '%', about: 'the same of the middle layer' },
  highLayerPercent: { unit: '%', about: 'the same of the high layer' },
  concealedPercent: { unit: '%', about: 'audio samples made up, of all that were played', needsPlayer: true },
  silentConcealedPercent: { unit: '%', about: 'those of them that are silence', needsPlayer: true },
  concealedSecondsPercent: {
    unit: '%',
    about: 'seconds of which over 5 % of the sound was made up, of all',
    needsPlayer: true,
  },
  stretchedPercent: {
    unit: '%',
    about: 'audio samples inserted or removed, of all that were played',
    needsPlayer: true,
  },
  discardedPercent: {
    unit: '%',
    about: 'audio packets too late or too early to be played, of those received',
    needsPlayer: true,
  },
  synthesizedPercent: {
    unit: '%',
    about: 'sound that the playout of the probe host made up, of all that it played',
    needsPlayer: true,
  },
  longestGapMs: { unit: 'ms', about: 'the longest stretch without sound that is known of' },
  meanGapMs: { unit: 'ms', about: 'mean length of a stretch of made-up sound', needsPlayer: true },
  audioLevel: {
    unit: 'level',
    about: 'mean level, 0 to 1; with pauses, of the seconds with speech',
    needsPlayer: true,
  },
  spokenPercent: { unit: '%', about: 'share of the time in which its sender speaks, by the pattern of --speech' },
  answerP50Ms: { unit: 'ms', about: 'from the last sound of a question to the first of its answer: median' },
  answerP95Ms: { unit: 'ms', about: '95th percentile of them' },
  unansweredPercent: { unit: '%', about: 'questions without an answer in 5 s, of all' },
  interruptedPercent: { unit: '%', about: 'questions that were spoken into, of all' },
  mos: {
    unit: 'MOS',
    about: 'estimated opinion of the received speech, 1 to 4.41: ITU-T G.107, narrow band',
    needsPlayer: true,
  },
  messagesPerSecond: { unit: '1/s', about: 'messages on the data channel that came, each once, or were sent' },
  repeatedMessages: { unit: 'count', about: 'messages that came again' },
  seatedGapPercent: {
    unit: '%',
    about: 'while others joined: time frozen or unheard, of the time so far seated or of a minute, whichever is more',
  },
  seatedGapMs: { unit: 'ms', about: 'the same time' },
  seatedLossPercent: { unit: '%', about: 'while others joined: packets lost after resending' },
  targetKbps: { unit: 'kbit/s', about: 'mean of what congestion control allows the encoder' },
  estimateKbps: { unit: 'kbit/s', about: 'sent video: mean of what congestion control allows its connection' },
  resentPercent: { unit: '%', about: 'packets sent again, of all; of a received stream, padding beside them included' },
  sourceFps: { unit: 'fps', about: 'mean frame rate of the camera' },
  askedFps: { unit: 'fps', about: 'visited pages: mean frame rate that the app asked of the camera' },
  replacedPercent: { unit: '%', about: "encoded probes: frames replaced by the clip's in order, of those encoded" },
  encodeMsPerFrame: { unit: 'ms', about: 'time to encode a frame' },
  cpuLimitedPercent: { unit: '%', about: 'share of the time in which CPU limited the encoder' },
  bandwidthLimitedPercent: { unit: '%', about: 'share of the time in which bandwidth limited the encoder' },
} as const;

export type AggregateName = keyof typeof aggregates;
export const aggregateNames = Object.keys(aggregates).filter(isAggregateName);

export function isAggregateName(name: string): name is AggregateName {
  return Object.hasOwn(aggregates, name);
}

export const needsPlayer = (name: AggregateName): boolean => 'needsPlayer' in aggregates[name];

/** Values by name; what could not be measured is absent, never zero. */
export type Aggregates = Readonly<Partial<Record<AggregateName, number>>>;

/** Drops what could not be measured. */
export function onlyMeasured(values: Readonly<Partial<Record<AggregateName, number | undefined>>>): Aggregates {
  const measured: Partial<Record<AggregateName, number>> = {};
  for (const name of Object.keys(values) as AggregateName[]) {
    const value = values[name];
    if (value !== undefined) measured[name] = value;
  }
  return measured;
}
