import { z } from 'zod';
import type { Link } from '../../../model/network.js';
import { packetLimit } from '../netem-arguments.js';

/** What one end sends: single small packets for delay and loss, then more than the rate carries. */
const directionSchema = z.object({
  packets: z.number().int(),
  perSecond: z.number(),
  /** On each of so many connections at once, bit/s. */
  rate: z.object({ bps: z.number(), ms: z.number(), connections: z.number().int() }).optional(),
});
export const checkPlanSchema = z.object({
  up: directionSchema,
  down: directionSchema,
  /** After the last packet, for what is still on its way. */
  drainMs: z.number(),
});

export type DirectionPlan = z.infer<typeof directionSchema>;
export type CheckPlan = z.infer<typeof checkPlanSchema>;

/** Ethernet, IP and UDP headers: netem counts a packet with them. */
export const headerBytes = 14 + 20 + 8;
export const smallBytes = 28;
export const largeBytes = 1200;

const mostPerSecond = 2000;
const seconds = 5;
/** A slow link gives few packets a second, so they are sent for longer. */
const slowPerSecond = 200;
const slowSeconds = 8;
/** Single packets shall meet an empty queue. */
const shareOfRate = 0.3;
const shareOfQueue = 0.5;
/** A rate above this is not checked: sending so much would measure this host and not the link. */
const fastestMeasuredBps = 50_000_000;
const rateMs = 1500;
/** Of the rate, after its loss. */
const overload = 1.4;
const mostLossForRate = 30;
/** Two connections loaded at once show that each has its own link; with fast links the host would be measured. */
const fastestTogetherBps = 20_000_000;

export function checkPlan(up: Link, down: Link): CheckPlan {
  const slowest = Math.max(...[up, down].map(({ delayMs = 0, jitterMs = 0 }) => delayMs + jitterMs));
  return { up: directionPlan(up), down: directionPlan(down), drainMs: slowest + 700 };
}

function directionPlan(link: Link): DirectionPlan {
  const { rateBps, delayMs = 0, jitterMs = 0, loss } = link;
  const byRate = rateBps === undefined ? mostPerSecond : (shareOfRate * rateBps) / (8 * (smallBytes + headerBytes));
  const byQueue = (shareOfQueue * packetLimit(link) * 1000) / Math.max(1, delayMs + jitterMs);
  const perSecond = Math.max(10, Math.min(mostPerSecond, byRate, byQueue));
  const packets = Math.round(perSecond * (perSecond < slowPerSecond ? slowSeconds : seconds));
  const lossy = loss?.kind === 'random' ? loss.percent > mostLossForRate : loss !== undefined;
  if (rateBps === undefined || rateBps > fastestMeasuredBps || lossy) return { packets, perSecond };
  return {
    packets,
    perSecond,
    rate: {
      bps: rateBps * overload,
      ms: Math.max(rateMs, (20 * 8000 * largeBytes) / rateBps),
      connections: rateBps > fastestTogetherBps ? 1 : 2,
    },
  };
}

/** How many connections the end inside the network opens. */
export function connectionsOf({ up, down }: CheckPlan): number {
  return Math.max(...[up, down].map(({ rate }) => rate?.connections ?? 1));
}

/** From the start of sending: when the first part and its packets are over, and when all is. */
export function checkTimes({ up, down, drainMs }: CheckPlan): { readonly rateAtMs: number; readonly endMs: number } {
  const rateAtMs = Math.max(...[up, down].map(({ packets, perSecond }) => (1000 * packets) / perSecond)) + drainMs;
  const rate = Math.max(...[up, down].map((direction) => direction.rate?.ms ?? 0));
  // What waits in a queue when sending ends needs a part of the time again.
  return { rateAtMs, endMs: rate === 0 ? rateAtMs : rateAtMs + rate * overload + drainMs };
}
