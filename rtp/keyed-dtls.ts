import { RTCDtlsTransport } from 'werift';
import { type HandshakingDtls, readHandshake } from './dtls-reading.js';
import { type DtlsParts, numberFinishedAnew } from './finished-again.js';
import type { IceGuard } from './ice-guard.js';
import { sendWholeFlights } from './whole-flights.js';

/**
 * werift's DTLS over networks that lose datagrams and change their order, with peers that may be somebody else, and
 * without its RTP reader: packets are read by the link, which needs no object per header field.
 */
export class KeyedDtlsTransport extends RTCDtlsTransport {
  override startSrtp(): void {
    if (this.srtpStarted) return;
    this.srtpStarted = true;
    this.updateSrtpSession();
  }

  override start(): Promise<void> {
    const started = super.start();
    // It is made at once, and sends nothing before the next turn.
    if (this.dtls) prepare(this.dtls as unknown as DtlsParts & HandshakingDtls, this.role === 'client');
    return started;
  }

  /** Starts, and reads what `guard` lets in. */
  startBehind(guard: IceGuard): Promise<void> {
    const started = this.start();
    const dtls = this.dtls as unknown as HandshakingDtls | undefined;
    if (dtls) guard.startDtls((datagram) => dtls.transport.socket.onData(datagram));
    return started;
  }
}

function prepare(dtls: DtlsParts & HandshakingDtls, isClient: boolean): void {
  sendWholeFlights(dtls.transport);
  readHandshake(dtls, isClient ? 'client' : 'server');
  if (isClient) numberFinishedAnew(dtls);
}
