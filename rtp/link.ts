import {
  candidateFromIce,
  defaultPeerConfig,
  isRtcp,
  ProtectionProfileAeadAes128Gcm,
  ProtectionProfileAes128CmHmacSha1_80,
  RTCDtlsFingerprint,
  RTCDtlsParameters,
  RTCIceGatherer,
  RTCIceParameters,
  RTCIceTransport,
  type StunProtocol,
} from 'werift';
import type { Egress } from './egress.js';
import { IceGuard } from './ice-guard.js';
import { type IceCredentials, restartIce } from './ice-restart.js';
import type { KeyFrameTurns } from './key-frame-turns.js';
import { KeyedDtlsTransport } from './keyed-dtls.js';
import type { OutgoingPacket } from './outgoing-packet.js';
import { remoteCandidate } from './remote-candidate.js';
import { sendingSockets } from './sending-socket.js';
import { SrtpTransform } from './srtp.js';
import { hookSockets, type MediaAddress } from './udp-hook.js';

export interface LocalCandidate {
  readonly address: string;
  readonly port: number;
}

export interface RemoteTransport extends IceCredentials {
  readonly fingerprints: readonly { readonly algorithm: string; readonly value: string }[];
}

export interface LinkListener {
  onLocalCandidate(candidate: LocalCandidate): void;
  onGathered(): void;
  onIceConnecting(): void;
  onIceSelected(local: LocalCandidate, remote: LocalCandidate): void;
  /** ICE and DTLS are up: media can flow. */
  onConnected(): void;
  onFailed(why: string): void;
  onRtp(packet: Buffer): void;
  onRtcp(compound: Buffer): void;
}

interface LinkOptions {
  readonly host: string;
  readonly egress: Egress;
  readonly onReceived: (bytes: number) => void;
}

/**
 * ICE, DTLS and SRTP between the server and one browser, on one UDP socket bound to the server's host address.
 * The server is the ICE-controlled side and the DTLS client (`setup:active`).
 */
export class Link {
  readonly #options: LinkOptions;
  readonly #listener: LinkListener;
  readonly #ice: RTCIceTransport;
  /** What data channels are carried by. */
  readonly dtls: KeyedDtlsTransport;
  readonly #hooked = new Set<StunProtocol>();
  readonly #guard: IceGuard;
  #srtp: SrtpTransform | undefined;
  #mediaAddress: MediaAddress | undefined;
  #gathering: Promise<void> | undefined;
  #remote: RemoteTransport | undefined;
  #started = false;
  #closed = false;

  constructor(options: LinkOptions, listener: LinkListener) {
    this.#options = options;
    this.#listener = listener;
    // Only the host's own address: interface discovery is off, and no STUN server is asked.
    const gatherer = new RTCIceGatherer({
      useIpv4: false,
      useIpv6: false,
      additionalHostAddresses: [options.host],
      interfaceAddresses: options.host.includes(':') ? { udp6: options.host } : { udp4: options.host },
    });
    delete gatherer.connection.stunServer;
    this.#ice = new RTCIceTransport(gatherer);
    this.#guard = new IceGuard(gatherer.connection);
    this.#ice.onIceCandidate.subscribe((candidate) => {
      const { egress, onReceived } = options;
      const hook = { egress, guard: this.#guard, onMedia: this.#onMedia, onReceived, taker: sendingSockets };
      hookSockets(this.#ice.connection, hook, this.#hooked);
      if (candidate !== undefined) listener.onLocalCandidate({ address: candidate.ip, port: candidate.port });
    });
    this.dtls = new KeyedDtlsTransport(defaultPeerConfig, this.#ice, undefined, [
      ProtectionProfileAeadAes128Gcm,
      ProtectionProfileAes128CmHmacSha1_80,
    ]);
    this.dtls.role = 'client';
  }

  get iceUfrag(): string {
    return this.#ice.localParameters.usernameFragment;
  }

  get icePwd(): string {
    return this.#ice.localParameters.password;
  }

  /** SHA-256, upper case with colons. */
  get fingerprint(): string {
    return this.dtls.localParameters.fingerprints[0]?.value.toUpperCase() ?? '';
  }

  get keyFrameTurns(): KeyFrameTurns {
    return this.#options.egress.keyFrameTurns;
  }

  /** What leaves now waits behind much else. */
  get crowded(): boolean {
    return this.#options.egress.crowded;
  }

  get connected(): boolean {
    return this.#srtp !== undefined && !this.#closed;
  }

  /** Opens the socket and reports its candidate. A second call waits for the first. Never rejects. */
  async gather(): Promise<void> {
    if (this.#gathering !== undefined || this.#closed) return this.#gathering;
    this.#gathering = this.#ice.gather().then(
      () => {
        if (this.#closed) return;
        this.#listener.onGathered();
        this.#start();
      },
      (error: unknown) => this.#fail(error),
    );
    return this.#gathering;
  }

  setRemote(remote: RemoteTransport): void {
    this.#remote = remote;
    this.#ice.setRemoteParams(new RTCIceParameters({ usernameFragment: remote.iceUfrag, password: remote.icePwd }));
    this.dtls.setRemoteParams(
      new RTCDtlsParameters(
        remote.fingerprints.map(({ algorithm, value }) => new RTCDtlsFingerprint(algorithm, value)),
        'server',
      ),
    );
    this.#start();
  }

  /**
   * Restarts ICE (RFC 8445, 9) on the same socket: credentials are new, and media goes on where it went until it comes
   * from elsewhere. Resolves when the new credentials are there; how the checks end is told as of the first ones.
   */
  async restart(remote: IceCredentials): Promise<void> {
    await restartIce(this.#ice, remote);
    // What has not come up yet goes on, with the new credentials.
    if (this.connected) this.#ice.start().catch((error: unknown) => this.#fail(error));
  }

  /**
   * Takes a browser's candidate line. Unreadable lines, TCP and `.local` names are passed over, as a Kurento does:
   * the browser's checks arrive all the same and make a peer-reflexive candidate.
   */
  addRemoteCandidate(line: string): void {
    const candidate = remoteCandidate(line);
    if (candidate === undefined || this.#closed) return;
    this.#ice.addRemoteCandidate(candidateFromIce(candidate))?.catch((error: unknown) => this.#fail(error));
  }

  #start(): void {
    if (this.#started || this.#closed || this.#remote === undefined || this.#ice.gatheringState !== 'complete') return;
    this.#started = true;
    this.#listener.onIceConnecting();
    this.#connect().catch((error: unknown) => this.#fail(error));
  }

  async #connect(): Promise<void> {
    await this.#ice.start();
    const pair = this.#ice.connection.nominated;
    if (this.#closed || pair === undefined) return;
    const [address, port] = pair.remoteAddr;
    const { host, port: localPort } = pair.localCandidate;
    this.#listener.onIceSelected({ address: host, port: localPort }, { address, port });
    await this.dtls.startBehind(this.#guard);
    if (this.#closed) return;
    this.#srtp = new SrtpTransform(this.dtls.srtp, this.dtls.srtcp);
    this.#listener.onConnected();
  }

  #fail(error: unknown): void {
    if (!this.#closed) this.#listener.onFailed(error instanceof Error ? error.message : String(error));
  }

  readonly #onMedia = (datagram: Buffer, from: MediaAddress): void => {
    const rtcp = isRtcp(datagram);
    const packet = this.#unprotect(datagram, rtcp);
    if (packet === undefined) return;
    // Media goes where authentic media comes from, as the browser may change its ICE pair at any time; but nobody sends
    // it elsewhere who only holds packets back.
    if (from !== this.#mediaAddress && this.#guard.reaches(from)) this.#mediaAddress = from;
    try {
      if (rtcp) this.#listener.onRtcp(packet);
      else this.#listener.onRtp(packet);
    } catch (error) {
      this.#fail(error);
    }
  };

  /** `undefined` for what is not authentic or garbled: a lost packet, which the stream statistics count. */
  #unprotect(datagram: Buffer, rtcp: boolean): Buffer | undefined {
    if (this.#srtp === undefined || this.#closed || datagram.length < 12) return undefined;
    try {
      return rtcp ? this.#srtp.unprotectRtcp(datagram) : this.#srtp.unprotect(datagram);
    } catch {
      return undefined;
    }
  }

  /** Encrypts and sends; returns `false` before the link is up. */
  sendRtp(packet: OutgoingPacket): boolean {
    if (this.#srtp === undefined || this.#closed) return false;
    this.#send(this.#srtp.protect(packet));
    return true;
  }

  sendRtcp(compound: Buffer): void {
    if (this.#srtp === undefined || this.#closed) return;
    this.#send(this.#srtp.protectRtcp(compound));
  }

  /** Sends an encrypted datagram, whose memory is free when that returns. */
  #send(datagram: Buffer): void {
    const to = this.#mediaAddress;
    if (to !== undefined) this.#options.egress.send(to.outlet, datagram, to.port, to.address);
    else this.#ice.connection.send(Buffer.from(datagram)).catch(() => {});
  }

  /** Closes the socket and ends every timer. Idempotent, never rejects. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#gathering;
    this.dtls.dtls?.close();
    await this.#ice.stop().catch(() => {});
  }
}
