import type { RTCDtlsTransport } from 'werift';
import { CounterModeProtection, keysOf } from './counter-mode.js';
import { CounterModeControlProtection, CounterModeControlReading, controlKeysOf } from './counter-mode-control.js';
import { CounterModeReading } from './counter-mode-reading.js';

/** SRTP and SRTCP of one link, both ways. */
export interface LinkProtection {
  readonly reads: { readonly media: CounterModeReading; readonly control: CounterModeControlReading };
  readonly writes: { readonly media: CounterModeProtection; readonly control: CounterModeControlProtection };
}

/**
 * By the keys on which DTLS has agreed.
 *
 * @param readBytes how much of a payload of this type is to be deciphered
 */
export function linkProtection(
  { srtp, srtcp }: Pick<RTCDtlsTransport, 'srtp' | 'srtcp'>,
  readBytes: (payloadType: number) => number,
): LinkProtection {
  return {
    reads: {
      media: new CounterModeReading(keysOf(srtp.remoteContext), readBytes),
      control: new CounterModeControlReading(controlKeysOf(srtcp.remoteContext)),
    },
    writes: {
      media: new CounterModeProtection(keysOf(srtp.localContext)),
      control: new CounterModeControlProtection(controlKeysOf(srtcp.localContext)),
    },
  };
}
