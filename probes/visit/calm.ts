import { setTimeout as sleep } from 'node:timers/promises';

/** What flows has not changed for so long: then all is there. */
const calmMs = 4_000;
const longestMs = 20_000;
const stepMs = 250;

/** Something that changes at times. */
interface Changing {
  changedMs: number;
}

interface Clock {
  readonly nowMs: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

export const clockUntil = (signal: AbortSignal): Clock => ({
  nowMs: () => performance.now(),
  wait: (ms) => sleep(ms, undefined, { signal }),
});

/** Waits until nothing changes any more. Resolves with what still does when it is waited for no longer. */
export async function whatStillChanges<One extends Changing>(
  all: readonly One[],
  clock: Clock,
): Promise<readonly One[]> {
  const endsMs = clock.nowMs() + longestMs;
  for (const one of all) one.changedMs = clock.nowMs();
  const changing = () => all.filter(({ changedMs }) => clock.nowMs() - changedMs < calmMs);
  while (changing().length > 0 && clock.nowMs() < endsMs) await clock.wait(stepMs);
  return changing();
}
