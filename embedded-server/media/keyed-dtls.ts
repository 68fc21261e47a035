import { RTCDtlsTransport } from 'werift';
import { type DtlsParts, numberFinishedAnew } from './finished-again.js';

/** werift's DTLS without its RTP reader: packets are read by the link, which needs no object per header field. */
export class KeyedDtlsTransport extends RTCDtlsTransport {
  override startSrtp(): void {
    if (this.srtpStarted) return;
    this.srtpStarted = true;
    this.updateSrtpSession();
  }

  override start(): Promise<void> {
    const started = super.start();
    // It is made at once, and sends nothing before the next turn.
    if (this.dtls && this.role === 'client') numberFinishedAnew(this.dtls as unknown as DtlsParts);
    return started;
  }
}
