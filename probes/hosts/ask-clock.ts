import type { ClockExchange } from '../clock-estimate.js';
import type { Bus } from './bus.js';
import { clockSubject } from './subjects.js';
import { clockReply } from './wire.js';

/** Asks a host for its time, and whether it serves under this lease. Rejects with `BusSilence`, and with what cannot be read. */
export async function askClock(
  bus: Bus,
  instance: string,
  lease: string,
  withinMs: number,
): Promise<{ readonly exchange: ClockExchange; readonly held: boolean }> {
  const askedAtMs = Date.now();
  const answer = await bus.request(clockSubject(instance), JSON.stringify({ lease }), withinMs);
  const { atMs, held } = clockReply.parse(JSON.parse(answer));
  return { exchange: { askedAtMs, answeredAtMs: Date.now(), shownMs: atMs }, held };
}
