import type { Clock } from '../../embedded-server/media/egress.js';

/** Acts at even times, told which one it is: those that are over when it wakes are told together. Returns what ends it. */
export function startBeat(clock: Clock, periodMs: number, act: (first: number, last: number) => void): () => void {
  const startedMs = clock.nowMs();
  let next = 0;
  let cancel: () => void = () => undefined;
  const wake = (): void => {
    const last = Math.max(next, Math.floor((clock.nowMs() - startedMs) / periodMs));
    const first = next;
    next = last + 1;
    arm();
    act(first, last);
  };
  const arm = (): void => {
    cancel = clock.after(Math.max(0, startedMs + next * periodMs - clock.nowMs()), wake);
  };
  arm();
  return () => cancel();
}
