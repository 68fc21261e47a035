import { z } from 'zod';

const positive = z.number().positive();
const count = z.number().int().positive();

/** What a trial measures with: sizes in pixels, rates in kbit/s. */
export const mediaSchema = z.object({
  width: count.default(640),
  height: count.default(360),
  framesPerSecond: count.default(30),
  /** Ceiling of the sender's video rate, kbit/s; the server may ask for less. */
  videoKbps: count.default(500),
  videoCodec: z.enum(['VP8']).default('VP8'),
});

/** Limits per probe and stream over the measured window (sources: Twilio, Teams, ITU-T G.114; see docs/measuring.md). */
export const thresholdsSchema = z.object({
  joinMsMax: positive.default(10_000),
  firstFrameP95MsMax: positive.default(5_000),
  bitratePercentOfBaselineMin: positive.default(80),
  framesPercentOfBaselineMin: positive.default(80),
  videoLossPercentMax: positive.default(1),
  /** In any 5 s of the window. */
  videoLossBurstPercentMax: positive.default(5),
  audioLossPercentMax: positive.default(1),
  jitterMsMax: positive.default(30),
  rttMsMax: positive.default(300),
  frozenPercentMax: positive.default(2),
  mosMin: positive.default(3.5),
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
  /** What `fixed` tries. */
  sizes: z.array(count).min(1).optional(),
  /** As many passes of the limit as show, with this confidence, that it passes at least 80 % of its trials. */
  confidence: z.number().gt(0).lt(1).optional(),
});

export const timingSchema = z.object({
  /** Participants per second. */
  pacePerSecond: positive.default(2),
  /** Upper bound; settling ends when rates have stopped growing. */
  settleMs: positive.default(40_000),
  measureMs: positive.default(60_000),
});

export const serverSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('embedded'), egressLimitBps: positive.optional() }),
  z.object({ kind: z.literal('kurento'), url: z.string() }),
]);

export const planSchema = z.object({
  scenario: z.string(),
  server: serverSchema,
  media: mediaSchema.prefault({}),
  thresholds: thresholdsSchema.prefault({}),
  search: searchSchema.prefault({}),
  timing: timingSchema.prefault({}),
  probesPerPage: count.default(4),
  /** Pages per Chromium. */
  pagesPerBrowser: count.default(4),
});

export type Media = z.infer<typeof mediaSchema>;
export type Thresholds = z.infer<typeof thresholdsSchema>;
export type SearchOptions = z.infer<typeof searchSchema>;
export type Timing = z.infer<typeof timingSchema>;
export type ServerPlan = z.infer<typeof serverSchema>;
export type Plan = z.infer<typeof planSchema>;
