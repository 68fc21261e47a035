import type { ExpectedStream } from '../../model/expected-streams.js';
import type { StreamSubject } from './stream-rules.js';

/** A shared screen may stand still. */
const stillFps = 1;

/**
 * Frames a second that a visited app asks of what each stream shows; of other streams nothing is said. Whose camera a
 * received one shows is not known, so the least of all cameras is expected. One screen of each other who shares one in
 * its session may be among what a probe receives: its slowest pictures.
 */
export function askedRates(subjects: readonly StreamSubject[]): ReadonlyMap<ExpectedStream, number> {
  const sent = subjects.flatMap(({ stream, values: { askedFps } }) =>
    askedFps === undefined ? [] : [{ stream, askedFps }],
  );
  const cameras = sent.filter(({ askedFps }) => askedFps > 0);
  const sharing = new Map(
    sent.flatMap(({ stream: { participant }, askedFps }) => (askedFps === 0 ? [[participant.id, participant]] : [])),
  );
  const rates = new Map(sent.map(({ stream, askedFps }) => [stream, Math.max(stillFps, askedFps)]));
  if (sent.length === 0) return rates;
  const least = cameras.length === 0 ? undefined : Math.min(...cameras.map(({ askedFps }) => askedFps));
  const received = subjects.filter(({ stream: { direction, kind } }) => direction === 'receive' && kind === 'video');
  const bySlowness = received.toSorted((one, other) => (one.values.fps ?? 0) - (other.values.fps ?? 0));
  const taken = new Map<string, number>();
  for (const { stream } of bySlowness) {
    const { id, session } = stream.participant;
    const nth = taken.get(id) ?? 0;
    taken.set(id, nth + 1);
    const others = [...sharing.values()].filter((other) => other.session === session && other.id !== id);
    const rate = nth < others.length ? stillFps : least;
    if (rate !== undefined) rates.set(stream, rate);
  }
  return rates;
}
