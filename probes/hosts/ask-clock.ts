import type { ClockExchange } from '../clock-estimate.js';
import type { Bus } from './bus.js';
import { clockSubject, type HostAddress } from './subjects.js';
import { clockReply } from './wire.js';

interface ClockAnswer {
  readonly exchange: ClockExchange;
  readonly held: boolean;
  /** Why it takes no further trial. */
  readonly leaving?: string;
}

/** Asks a host for its time, and whether it serves under this lease. Rejects with `BusSilence`, or if unreadable. */
export async function askClock(bus: Bus, host: HostAddress, lease: string, withinMs: number): Promise<ClockAnswer> {
  const askedAtMs = Date.now();
  const answer = await bus.request(clockSubject(host), JSON.stringify({ lease }), withinMs);
  const { atMs, ...more } = clockReply.parse(JSON.parse(answer));
  return { exchange: { askedAtMs, answeredAtMs: Date.now(), shownMs: atMs }, ...more };
}
