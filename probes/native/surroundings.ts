import { foreignCalls } from '../../host/foreign-calls.js';
import { Egress } from '../../rtp/egress.js';
import { LoopLag } from '../../rtp/loop-lag.js';
import { PolledSockets } from '../../rtp/polled-sockets.js';
import { socketCalls } from '../../rtp/socket-calls.js';
import type { TimerClock } from '../../rtp/timer.js';
import type { PeerSurroundings } from './peer-options.js';
import { Pulse } from './pulse.js';

export interface WorkerSurroundings extends PeerSurroundings {
  readonly pulse: Pulse;
}

/** What all probes of a process share: its clock, which never jumps, what wakes it, and the way out. */
export function workerSurroundings(
  own: Omit<PeerSurroundings, 'clock' | 'egress' | 'taker' | 'attend'>,
): WorkerSurroundings {
  const lag = new LoopLag(() => performance.nodeTiming.idleTime);
  const { timeOrigin } = performance;
  const nowMs = (): number => timeOrigin + performance.now();
  const calls = foreignCalls();
  const pulse = new Pulse(nowMs, calls && new PolledSockets(socketCalls(calls)));
  const clock: TimerClock = {
    nowMs: () => pulse.nowMs(),
    lagMs: () => lag.read(nowMs()),
    after: (ms, act) => pulse.after(ms, act),
    timer: (act) => pulse.timer(act),
  };
  return {
    ...own,
    clock,
    pulse,
    egress: new Egress(clock),
    attend: () => pulse.attend(),
    ...(calls ? { taker: pulse } : {}),
  };
}
