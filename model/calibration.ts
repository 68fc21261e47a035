import { z } from 'zod';
import { theOneHost } from './probe-host.js';

const nonnegative = z.number().nonnegative();

/** What one kind of probe was measured to cost on a host, and how many of them it carried. */
export const kindCalibrationSchema = z.object({
  /** At the largest number that was carried. */
  coresPerProbe: nonnegative,
  /** PSS of the browsers / probes, MiB. */
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

/** Raised with each change that makes probes cheaper or dearer, so that calibrations of before are not used. */
export const calibrationFormat = 3;

/** `loadline calibrate`, stored for each host and Chromium version. */
export const calibrationSchema = z.object({
  format: z.literal(calibrationFormat),
  measuredAt: z.string(),
  /** The probe host that was measured, as evidence of trials names it; files without it are of the one host. */
  probeHost: z.string().default(theOneHost),
  host: z.object({ name: z.string(), cores: z.number(), cpuModel: z.string(), memoryMb: z.number() }),
  chromium: z.string(),
  full: kindCalibrationSchema,
  encoded: kindCalibrationSchema,
});

/** `loadline calibrate --url`: what a page of an app costs, by its address and the size of its rooms. */
export const visitCalibrationSchema = calibrationSchema
  .pick({ format: true, measuredAt: true, host: true, chromium: true })
  .extend({ url: z.string(), members: z.number().int().positive(), page: kindCalibrationSchema });

export type VisitCalibration = z.infer<typeof visitCalibrationSchema>;
export type KindCalibration = z.infer<typeof kindCalibrationSchema>;
export type Calibration = z.infer<typeof calibrationSchema>;
