import type { StartFleet } from '../probes/fleet.js';
import { simulatedFleets } from '../simulation/simulated-fleet.js';
import type { Clock } from '../trial/parts.js';
import { offerSeed } from './fuzz/fuzz-seeds.js';

/** How often time goes on, and how much of what passes between two such moments counts at most. */
const tickMs = 5;
const tickMostMs = 50;

/**
 * Time that runs so much faster for the tool than it does. While this process is kept from running, it stands still: on
 * a busy machine what is a moment here would else be seconds there, in which simulated probes gave no sample.
 */
export function fastClock(speed: number): Clock {
  let nowMs = Date.now();
  let readMs = performance.now();
  const pass = (): void => {
    const beforeMs = readMs;
    readMs = performance.now();
    nowMs += Math.min(readMs - beforeMs, tickMostMs) * speed;
  };
  return {
    nowMs: () => {
      pass();
      return nowMs;
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        pass();
        const dueMs = nowMs + ms;
        const end = (act: () => void): void => {
          clearInterval(ticking);
          signal.removeEventListener('abort', onAbort);
          act();
        };
        const onAbort = () => end(() => reject(signal.reason));
        const ticking = setInterval(() => {
          pass();
          if (nowMs >= dueMs) end(resolve);
        }, tickMs);
        if (signal.aborted) onAbort();
        else signal.addEventListener('abort', onAbort, { once: true });
      }),
  };
}

const candidate = {
  candidate: 'candidate:1 1 udp 2130706431 127.0.0.1 9 typ host generation 0',
  sdpMid: '0',
  sdpMLineIndex: 0,
};

/**
 * Probes that exist in numbers only, but whose sessions are negotiated with the server: endpoints, sockets, ICE. A
 * connection that only receives is not, because servers that have such want their publishers connected first.
 */
export function negotiatingFleets(clock: Clock): StartFleet {
  const conditions = { arrivingShare: 1, lossShare: 0, frozenMs: 0, rttMs: 20, jitterMs: 2 };
  const fakes = simulatedFleets({ clock, chance: () => 0.5, conditionsOf: () => conditions });
  return (options, listener) => {
    const fleet = fakes(options, listener);
    const join: typeof fleet.join = (participants, { begin, ...given }) =>
      fleet.join(participants, {
        ...given,
        begin: async (request) =>
          request.leg.sends.length === 0 || begin === undefined ? { by: 'probe' } : begin(request),
        negotiate: async (request) => {
          if (request.leg.sends.length === 0) return { answer: 'simulated', addCandidate: async () => undefined };
          const negotiated = await given.negotiate({ ...request, offer: offerSeed });
          await negotiated.addCandidate(candidate);
          return negotiated;
        },
      });
    return {
      join,
      records: () => fleet.records(),
      hosts: () => fleet.hosts(),
      readHosts: () => fleet.readHosts(),
      leave: () => fleet.leave(),
      close: () => fleet.close(),
    };
  };
}
