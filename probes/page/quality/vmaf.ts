import { base64 } from '../base64.js';
import type { HostFunction } from '../wire.js';
import type { Pair } from './sent-pictures.js';

/** `undefined` where nobody can say. */
export type VmafOf = (pair: Pick<Pair, 'index' | 'received'>) => Promise<number | undefined>;

/** VMAF of what a probe was shown, by its host. A host that has not told it once is asked no more. */
export function vmafBy(host: HostFunction, probe: string): VmafOf {
  let isKnown = true;
  return async ({ index, received }) => {
    if (!isKnown) return undefined;
    const reply = await host({ call: 'look', probe, look: { index, received: await base64(received) } });
    isKnown = reply !== null;
    return reply?.ok && 'vmaf' in reply ? reply.vmaf : undefined;
  };
}
