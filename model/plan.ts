import { z } from 'zod';
import { aggregateNames } from './aggregate.js';
import { videoCodecs } from './codec.js';
import { crowdStates } from './crowd.js';
import { loadSchema } from './load.js';
import { looks } from './looks.js';
import { networksSchema } from './network.js';
import { playersSchema } from './players.js';
import { serverSchema } from './server-plan.js';
import { layered } from './simulcast.js';
import { subscribings } from './subscribing.js';
import { joinStatistics, joinTimes } from './threshold-id.js';
import { turnProtocols } from './turn.js';

const positive = z.number().positive();
const count = z.number().int().positive();
const nonnegative = z.number().nonnegative();

/** What a trial measures with: sizes in pixels, rates in kbit/s. */
export const mediaSchema = z.object({
  width: count.default(640),
  height: count.default(360),
  framesPerSecond: count.default(30),
  /** Ceiling of the sender's video rate, kbit/s; the server may ask for less. */
  videoKbps: count.default(500),
  videoCodec: z.enum(videoCodecs).default('VP8'),
  ...layered,
  ...crowdStates,
  /** The pause of a probe that plays an agent; absent: the scenario's. */
  answerAfterMs: nonnegative.int().optional(),
  ...looks,
});

/**
 * A limit that the named ones below do not say, as one expression was read. A later rule replaces earlier ones, and the
 * named limits, on the streams it is for.
 */
export const thresholdRuleSchema = z.discriminatedUnion('of', [
  z.object({
    of: z.literal('stream'),
    /** The expression in its plain form: "sent.video.bitrate.mean >= 300 kbit/s". */
    text: z.string(),
    /** The name in `StreamSummary.values`. */
    aggregate: z.enum(aggregateNames),
    kind: z.enum(['audio', 'video', 'data']).optional(),
    direction: z.enum(['send', 'receive']).optional(),
    ofBaseline: z.boolean(),
    comparison: z.enum(['at-most', 'at-least']),
    limit: nonnegative,
    unit: z.string(),
  }),
  z.object({
    of: z.literal('join'),
    text: z.string(),
    time: z.enum(joinTimes),
    statistic: z.enum(joinStatistics),
    /** Milliseconds; always an upper bound. */
    limit: nonnegative,
  }),
  z.object({
    of: z.literal('join-success'),
    text: z.string(),
    /** Percent of those who were to join; always a lower bound. */
    limit: nonnegative,
  }),
  z.object({
    of: z.literal('app'),
    text: z.string(),
    /** What the join script calls it. */
    name: z.string(),
    statistic: z.enum(joinStatistics),
    comparison: z.enum(['at-most', 'at-least']),
    limit: nonnegative,
    /** `ms`, or `count` where the limit has no unit. */
    unit: z.string(),
  }),
]);

/** How many probes may fail before the trial does. */
export const badProbesSchema = z.object({ max: nonnegative, unit: z.enum(['probes', '%']) });

/** Limits per probe and stream over the window; docs/reference/judging.md says of which streams, and by what. */
export const thresholdsSchema = z.object({
  joinMsMax: positive.default(10_000),
  firstFrameP95MsMax: positive.default(5_000),
  bitratePercentOfBaselineMin: nonnegative.default(80),
  framesPercentOfBaselineMin: nonnegative.default(80),
  videoLossPercentMax: nonnegative.default(1),
  /** In any 5 s of the window. */
  videoLossBurstPercentMax: nonnegative.default(5),
  audioLossPercentMax: nonnegative.default(1),
  jitterMsMax: nonnegative.default(30),
  rttMsMax: nonnegative.default(300),
  frozenPercentMax: nonnegative.default(2),
  mosMin: nonnegative.default(3.5),
  widthPercentOfBaselineMin: nonnegative.default(75),
  /** Of received streams. */
  jitterBufferMsMax: nonnegative.default(400),
  rttP95MsMax: nonnegative.default(800),
  /** Of received sound that is forwarded. */
  audioLevelMin: nonnegative.default(0.001),
  /** Of received video. */
  stutterMsMax: nonnegative.default(50),
  /** While others join: of received streams that were there before. */
  seatedGapPercentMax: nonnegative.default(2),
  /** The longest stretch without sound. */
  soundGapMsMax: nonnegative.default(1000),
  /** What the named limits do not say. */
  also: z.array(thresholdRuleSchema).readonly().optional(),
  /** Absent: none may fail. */
  badProbes: badProbesSchema.optional(),
});

export const searchSchema = z.object({
  /** First size after the baseline. */
  from: count.optional(),
  /** No size above this one is tried. */
  max: count.default(512),
  /** How often the limit must pass. */
  confirm: count.default(3),
  /** How often the size above it must fail. */
  refute: count.default(2),
  /** How often a void trial is repeated before it is believed. */
  voidRepeats: z.number().int().nonnegative().default(2),
  /** How close stable and unstable must come: so many sizes, or a share of the size (at least one). Absent: 5 %. */
  within: z.union([count, z.templateLiteral([z.number().positive(), '%'])]).optional(),
  /** Absent: bisect. */
  strategy: z.enum(['bisect', 'ramp', 'fixed']).optional(),
  /** The size that `ramp` ends at is held once more for so long. Absent: it is not. */
  holdMs: positive.optional(),
  /** What `fixed` tries. */
  sizes: z.array(count).min(1).optional(),
  /** As many passes of the limit as show, with this confidence, that it passes at least 80 % of its trials. */
  confidence: z.number().gt(0).lt(1).optional(),
  /** No trial is begun that would not end within so much time of trials. */
  budgetMs: positive.optional(),
  /** False: sizes are chosen by doubling and halving alone. Absent: by what earlier trials took, too. */
  foresight: z.boolean().optional(),
  /** False: a trial that only steers is measured to its end, too. Absent: it ends once clearly stable. */
  screening: z.boolean().optional(),
});

export const timingSchema = z.object({
  /** Participants per second. */
  pacePerSecond: positive.default(2),
  /** True: faster, trial by trial, while the server answers as soon as in the first. Absent: always this pace. */
  autoPace: z.boolean().optional(),
  /** Upper bound; settling ends when rates have stopped growing. */
  settleMs: positive.default(40_000),
  measureMs: positive.default(60_000),
  /** False: a trial is measured to its end even when nothing can make it stable any more. Absent: true. */
  earlyStop: z.boolean().optional(),
  /** False: the first joins on a cold server are judged. Absent: one session joins and leaves before they are. */
  warmUp: z.boolean().optional(),
});

/** Probes reach the media server through a TURN server, and by no other way. */
export const turnSchema = z.object({
  protocol: z.enum(turnProtocols),
  /** A `turn:` or `turns:` address, or `own`: what the media server names. Absent: this run starts a coturn here. */
  server: z.string().optional(),
});

/** Pages of metrics that tell of the server's host. */
const evidencePlanSchema = z.object({
  urls: z.array(z.string()).min(1).readonly(),
  /** Metrics that are chosen by the user: `name{label="value"}`. */
  metrics: z.array(z.string()).readonly(),
});

/** How participants are dealt to several hosts. */
export const spreads = ['even', 'pack', 'sessions-together', 'by-place'] as const;

/** Where the probes are played, if not on the host that conducts. */
const hostsPlanSchema = z.object({
  /** The address of a bus on which hosts offer themselves, or `local:3` for so many on this machine. */
  from: z.string(),
  spread: z.enum(spreads),
  /** Who speaks to the media server for the probes; absent: who conducts. */
  spokenBy: z.literal('hosts').optional(),
});

export const drills = ['lose-host'] as const;
/** What is done to the servers of a cluster on purpose, in a trial of its own at the size that held. */
const drillPlanSchema = z.object({
  kind: z.enum(drills),
  /** The shell command that takes a server away; absent: the run started it, and kills it. */
  command: z.string().optional(),
});

export const planSchema = z.object({
  scenario: z.string(),
  /** Members of a room; absent: 4, or the scenario has no rooms. */
  roomSize: z.number().int().min(2).optional(),
  /** Who sends beside those whom a size counts; absent: 2 presenters and a hand, or the scenario has none. */
  panel: z.object({ presenters: count, handsUp: z.number().int().nonnegative() }).optional(),
  /** What participants receive comes on connections of their own. Absent: as the scenario has it. */
  subscribe: z.enum(subscribings).optional(),
  /** The server records what each participant sends, and each file is looked at. Absent: it does not. */
  record: z.boolean().optional(),
  /** The recorded files are moved into the run directory instead of being removed. */
  keepRecordings: z.boolean().optional(),
  players: playersSchema.default({ kind: 'full' }),
  load: loadSchema.default({ by: 'sessions' }),
  server: serverSchema,
  /** Between participants and server; absent: the host's own network, untouched. */
  networks: networksSchema.optional(),
  /** True: limits count what a participant's own link loses and delays, too. Absent: only what comes on top of it. */
  absoluteLimits: z.boolean().optional(),
  media: mediaSchema.prefault({}),
  thresholds: thresholdsSchema.prefault({}),
  search: searchSchema.prefault({}),
  timing: timingSchema.prefault({}),
  /** Absent: nothing is done to the servers. */
  drill: drillPlanSchema.optional(),
  turn: turnSchema.optional(),
  /** Absent: this host plays all probes. */
  hosts: hostsPlanSchema.optional(),
  /** Absent: what can be read of the server without. */
  evidence: evidencePlanSchema.optional(),
  probesPerPage: count.default(4),
  /** Pages per Chromium. */
  pagesPerBrowser: count.default(4),
});

export type Media = z.infer<typeof mediaSchema>;
export type Thresholds = z.infer<typeof thresholdsSchema>;
export type ThresholdRule = z.infer<typeof thresholdRuleSchema>;
export type SearchOptions = z.infer<typeof searchSchema>;
export type Timing = z.infer<typeof timingSchema>;
export type HostsPlan = z.infer<typeof hostsPlanSchema>;
export type HostSpread = HostsPlan['spread'];
export type EvidencePlan = z.infer<typeof evidencePlanSchema>;
export type TurnPlan = z.infer<typeof turnSchema>;
export type Plan = z.infer<typeof planSchema>;

export {
  type ClusterMemberPlan,
  type ClusterServerPlan,
  clusterServerSchema,
  firstServer,
  isCluster,
  isSimulated,
  type MeasuredAlone,
  type RealServerPlan,
  realServerSchema,
  type ServerPlan,
  type SimulatedServerPlan,
  weightsOf,
} from './server-plan.js';
