import { type Clock, Egress } from '../../embedded-server/media/egress.js';
import { LoopLag } from '../../embedded-server/media/loop-lag.js';
import type { PeerSurroundings } from './native-peer.js';

/** What all probes of a process share: its clock, which never jumps, and the way out. */
export function workerSurroundings({
  addresses,
  videoCodec,
  sending,
  trustedKey,
}: Pick<PeerSurroundings, 'addresses' | 'videoCodec' | 'sending' | 'trustedKey'>): PeerSurroundings {
  const lag = new LoopLag(() => performance.nodeTiming.idleTime);
  const { timeOrigin } = performance;
  const nowMs = (): number => timeOrigin + performance.now();
  const clock: Clock = {
    nowMs,
    lagMs: () => lag.read(nowMs()),
    after: (ms, act) => {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
  };
  return {
    addresses,
    videoCodec,
    clock,
    egress: new Egress(clock),
    ...(sending ? { sending } : {}),
    ...(trustedKey === undefined ? {} : { trustedKey }),
  };
}
