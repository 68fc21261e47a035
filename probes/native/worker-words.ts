import { z } from 'zod';
import type { FromWorker } from './worker-wire.js';

/** Bounds of what a process may tell: far above a room of hundreds, below what would fill the memory. */
const nameMax = 200;
const textMax = 1_000_000;
const listMax = 10_000;
/** Of joining: three times as many as there are. */
const milestonesMax = 30;
/** Of a part of its probes, each second. */
export const samplesMax = 67_108_864;

const name = z.string().min(1).max(nameMax);
const count = z.number().int().nonnegative();
const ms = z.number();
const of = { probe: name, leg: name };
const join = z.record(z.string().max(nameMax), ms).refine((told) => Object.keys(told).length <= milestonesMax);
const candidate = z.strictObject({
  candidate: z.string().max(textMax),
  sdpMid: z.string().max(nameMax).nullable(),
  sdpMLineIndex: count.nullable(),
});
const rate = z.looseObject({
  leg: name,
  feedback: z.array(z.string().max(nameMax)).max(listMax),
  serverKbps: z.number().optional(),
  writtenKbps: z.number().optional(),
});
const route = z.looseObject({ leg: name, candidateType: z.string().max(nameMax) });
const failure = z.looseObject({
  code: name,
  atMs: ms,
  detail: z.string().max(textMax),
  missing: z.array(z.string().max(textMax)).max(listMax).optional(),
});

const call = z.discriminatedUnion('call', [
  z.strictObject({ call: z.literal('begin'), ...of }),
  z.strictObject({ call: z.literal('answered'), ...of, answer: z.string().max(textMax) }),
  z.strictObject({ call: z.literal('negotiate'), ...of, offer: z.string().max(textMax) }),
  z.strictObject({ call: z.literal('candidate'), ...of, candidate }),
  z.strictObject({ call: z.literal('reached'), probe: name, join }),
  z.strictObject({ call: z.literal('up'), probe: name, atMs: ms, join, rates: z.array(rate).max(listMax) }),
  z.strictObject({ call: z.literal('routed'), probe: name, routes: z.array(route).max(listMax) }),
  z.strictObject({ call: z.literal('failed'), probe: name, failure }),
  z.strictObject({ call: z.literal('samples'), samples: z.string().max(samplesMax) }),
]);

const words = z.discriminatedUnion('from', [
  z.strictObject({ from: z.literal('ready') }),
  z.strictObject({ from: z.literal('call'), nth: count, call }),
  z.strictObject({ from: z.literal('renegotiated'), nth: count, answer: z.string().max(textMax).nullable() }),
  z.strictObject({ from: z.literal('second'), dropped: count, lateMs: ms }),
  z.strictObject({ from: z.literal('forbidden'), address: z.union([z.ipv4(), z.ipv6()]) }),
  z.strictObject({ from: z.literal('left') }),
]);

/** What a process of native probes, which parses foreign media, said; `undefined` if none of ours would. */
export function readWords(message: unknown): FromWorker | undefined {
  const read = words.safeParse(message);
  return read.success ? (read.data as FromWorker) : undefined;
}
