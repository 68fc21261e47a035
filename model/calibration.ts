import { z } from 'zod';
import { localHostId } from './probe-host.js';
import { eachKind, type ProbeKind, probeKindNames } from './probe-kinds.js';

const nonnegative = z.number().nonnegative();

/** What one kind of probe was measured to cost on a host, and how many of them it carried. */
const kindCalibrationSchema = z.object({
  /** At the largest number that was carried. */
  coresPerProbe: nonnegative,
  /** PSS of the processes that play them / probes, MiB. */
  mbPerProbe: nonnegative,
  /** Cores that the embedded media server took beside them, on the same host. */
  serverCores: nonnegative,
  /** The largest number of probes that this host carried without being at fault itself. */
  carries: z.number().int().nonnegative(),
  /** The smallest number that it did not carry; absent when none was tried. */
  tooMany: z.number().int().positive().optional(),
  /** Why it carried no more: a sentence. */
  because: z.string(),
});

/** What one host carries, kind by kind. */
export const kindCalibrationsSchema = z.strictObject(eachKind(() => kindCalibrationSchema));

/** Raised when probes become cheaper or dearer or the measuring changes: earlier calibrations then do not count. */
export const calibrationFormat = 5;

/** `loadline calibrate`, stored for each host and Chromium version. */
export const calibrationSchema = z.object({
  format: z.literal(calibrationFormat),
  measuredAt: z.string(),
  /** The probe host that was measured, as evidence of trials names it; files without it are of the one host. */
  probeHost: z.string().default(localHostId),
  host: z.object({ name: z.string(), cores: z.number(), cpuModel: z.string(), memoryMb: z.number() }),
  chromium: z.string(),
  ...kindCalibrationsSchema.shape,
});

/** Of pages of an app; the first format with its own number. Pages are out of view unless said to be painted. */
export const visitCalibrationFormat = 4;

/** `loadline calibrate --url`: what a page of an app costs, by its address and the size of its rooms. */
export const visitCalibrationSchema = calibrationSchema.pick({ measuredAt: true, host: true, chromium: true }).extend({
  format: z.literal(visitCalibrationFormat),
  url: z.string(),
  members: z.number().int().positive(),
  painted: z.boolean(),
  /** Absent: pages are the app's own. */
  library: z.literal(true).exactOptional(),
  /** Absent: pictures are decoded and encoded. */
  encoded: z.literal(true).exactOptional(),
  /** "640x360@30". */
  camera: z.string(),
  page: kindCalibrationSchema,
});

export type VisitCalibration = z.infer<typeof visitCalibrationSchema>;
export type KindCalibrations = z.infer<typeof kindCalibrationsSchema>;
export type KindCalibration = z.infer<typeof kindCalibrationSchema>;
export type Calibration = z.infer<typeof calibrationSchema>;

/** How many probes of each kind a host carries. */
export function carriedOf(calibrated: KindCalibrations): Record<ProbeKind, number> {
  return eachKind((kind) => calibrated[kind].carries);
}

/** How large a share of the probes of a host is of each kind. */
export type KindShares = Readonly<Record<ProbeKind, number>>;

export function sharesOfOne(kind: ProbeKind): KindShares {
  return { ...eachKind(() => 0), [kind]: 1 };
}

/** Of a mixture how many a host carries, where each takes of it what one of so many of its kind does. */
export function carriedTogether(carries: Readonly<Record<ProbeKind, number>>, shares: KindShares): number {
  const taken = probeKindNames.reduce((sum, kind) => sum + ofHost(shares[kind], carries[kind]), 0);
  // Of one kind alone it is what that kind's number is, whatever a division leaves behind.
  return taken === 0 ? 0 : Math.floor(1 / taken + 1e-6);
}

const ofHost = (share: number, carries: number): number => (share === 0 ? 0 : share / carries);
