import {
  candidateFromIce,
  defaultPeerConfig,
  isRtcp,
  ProtectionProfileAes128CmHmacSha1_80,
  RTCDtlsFingerprint,
  RTCDtlsParameters,
  RTCDtlsTransport,
  RTCIceGatherer,
  RTCIceParameters,
  RTCIceTransport,
  type StunProtocol,
} from 'werift';
import type { RelayAccess } from '../model/turn.js';
import { startBeat } from './beat.js';
import { IceGuard } from './ice-guard.js';
import { type IceCredentials, restartIce } from './ice-restart.js';
import { KeyedDtlsTransport } from './keyed-dtls.js';
import type { RemoteTransport } from './link.js';
import type { LinkAddress } from './link-address.js';
import { type LinkProtection, linkProtection } from './link-protection.js';
import type { NativeLinkListener } from './native-link-listener.js';
import type { NativeLinkOptions } from './native-link-options.js';
import type { OutgoingPacket } from './outgoing-packet.js';
import { type Answering, PathAnswers } from './path-answers.js';
import { type Checking, PathChecks } from './path-checks.js';
import { openRelay, type Relay, type RelayOptions } from './relay.js';
import { RemoteCandidates } from './remote-candidates.js';
import { hookSockets, type MediaAddress } from './udp-hook.js';

/** As Chromium checks a working pair: a connection's round trip is that of the last answered check. */
const checkEveryMs = 2_500;
/** A restart that finds no pair for so many checks has failed, though media may still come as before. */
const unpairedMost = 3;

export type DtlsRole = 'client' | 'server';

/**
 * ICE, DTLS and SRTP of one leg of a native probe, by werift, which sees no media: packets are authenticated and read
 * by `CounterModeReading`, and written by what writes the embedded server's. Only AES_CM_128_HMAC_SHA1_80 is offered,
 * which is what Chromium and media servers agree on.
 */
export class NativeLink {
  readonly #listener: NativeLinkListener;
  readonly #options: NativeLinkOptions;
  readonly #ice: RTCIceTransport;
  readonly #dtls: KeyedDtlsTransport;
  readonly #hooked = new Set<StunProtocol>();
  readonly #guard: IceGuard;
  readonly #path: PathChecks;
  readonly #answers: PathAnswers;
  readonly #told: Pick<RelayOptions, 'guard' | 'onMedia' | 'isTaken'>;
  /** Candidates of the server. Unusable ones (TCP, IPv6) are skipped: their own checks arrive. */
  readonly remote = new RemoteCandidates((candidate) => {
    if (this.#closed || !this.#guard.permits(candidate.host)) return;
    void this.#ice.addRemoteCandidate(candidateFromIce(candidate))?.catch(() => undefined);
  });
  #protection: LinkProtection | undefined;
  #mediaAddress: MediaAddress | undefined;
  #endChecks: () => void = () => undefined;
  #closed = false;
  #unpaired = 0;
  #relay: Relay | undefined;

  /** `controlling`: who makes the offer is (RFC 8445, 6.1.1). */
  constructor(options: NativeLinkOptions, controlling: boolean, listener: NativeLinkListener) {
    this.#options = options;
    this.#listener = listener;
    const gatherer = new RTCIceGatherer({
      useIpv4: false,
      useIpv6: false,
      additionalHostAddresses: options.relay ? [] : [...options.addresses],
    });
    const { connection } = gatherer;
    delete connection.stunServer;
    connection.iceControlling = controlling;
    this.#ice = new RTCIceTransport(gatherer);
    this.#path = new PathChecks(connection as unknown as Checking);
    this.#guard = new IceGuard(connection, { isOwn: this.#path.isAwaited, allowed: options.allowed });
    this.#answers = new PathAnswers(connection as unknown as Answering, (answer, to) => this.#put(answer, to));
    this.#told = { guard: this.#guard, onMedia: this.#onMedia, isTaken: this.#isTaken };
    this.#ice.onIceCandidate.subscribe(() => hookSockets(connection, { ...options, ...this.#told }, this.#hooked));
    // werift's own checks stop at the first that is lost.
    Reflect.set(connection, 'queryConsent', () => undefined);
    this.#dtls = new KeyedDtlsTransport(defaultPeerConfig, this.#ice, undefined, [
      ProtectionProfileAes128CmHmacSha1_80,
    ]);
  }

  /** To be awaited once in a process before the first link: the key of its certificate is made. */
  static async prepare(): Promise<void> {
    await RTCDtlsTransport.SetupCertificate();
  }

  /** What a description says of it (RFC 8839, RFC 8122). */
  get described(): { readonly iceUfrag: string; readonly icePwd: string; readonly fingerprint: string } {
    const { usernameFragment: iceUfrag, password: icePwd } = this.#ice.localParameters;
    return { iceUfrag, icePwd, fingerprint: this.#dtls.localParameters.fingerprints[0]?.value.toUpperCase() ?? '' };
  }

  /** Opens the sockets, or through a relay the one to that. Rejects with RelayRefused. */
  async gather(access?: RelayAccess): Promise<readonly LinkAddress[]> {
    if (access) return [await this.#relayed(access)];
    await this.#ice.gather();
    return this.#ice.localCandidates.map(({ ip, port }) => ({ address: ip, port }));
  }

  get ports(): readonly number[] {
    return this.#relay?.socketPorts ?? this.#ice.localCandidates.map(({ port }) => port);
  }

  async #relayed(access: RelayAccess): Promise<LinkAddress> {
    this.#relay = await openRelay(this.#ice.connection, { access, ...this.#options.relay, ...this.#told });
    if (this.#closed) await this.#relay.close();
    await this.#ice.gather();
    return this.#relay.own;
  }

  /** Connects. What comes of it is told; never rejects. */
  async connect(remote: RemoteTransport, role: DtlsRole): Promise<void> {
    try {
      this.#ice.setRemoteParams(new RTCIceParameters({ usernameFragment: remote.iceUfrag, password: remote.icePwd }));
      const fingerprints = remote.fingerprints.map(({ algorithm, value }) => new RTCDtlsFingerprint(algorithm, value));
      this.#dtls.setRemoteParams(new RTCDtlsParameters(fingerprints, role === 'client' ? 'server' : 'client'));
      this.#dtls.role = role;
      await this.#ice.start();
      if (this.#closed) return;
      this.#listener.onIceConnected();
      await this.#dtls.startBehind(this.#guard);
      if (this.#closed) return;
      this.#keyed();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Restarts ICE as agreed: media goes on where it went. Never rejects; what comes of it is told as before. */
  async restart(own: IceCredentials, remote: IceCredentials, candidates: readonly string[]): Promise<void> {
    await restartIce(this.#ice, remote, own);
    this.#path.roundTripMs = undefined;
    for (const line of candidates) this.remote.add(line);
    await this.#ice.start().catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    if (!this.#closed) this.#listener.onFailed(error instanceof Error ? error.message : String(error));
  }

  #keyed(): void {
    this.#protection = linkProtection(this.#dtls, this.#options.readBytes);
    this.#path.onHeard(performance.now());
    this.#listener.onConnected();
    this.#endChecks = startBeat(this.#options.clock, checkEveryMs, () => this.#check());
  }

  #check(): void {
    if (this.#closed) return;
    const pair = this.#ice.connection.nominated;
    this.#unpaired = pair ? 0 : this.#unpaired + 1;
    if (this.#path.isSilent || this.#unpaired > unpairedMost) {
      this.#endChecks();
      this.#listener.onDisconnected();
      return;
    }
    if (pair) this.#path.check(pair, this.#options.clock.nowMs() - performance.timeOrigin);
  }

  /** The last round trip of a connectivity check, milliseconds. */
  get rttMs(): number | undefined {
    return this.#path.roundTripMs;
  }

  /** Checks alone: DTLS proves no life here. Until the link is up, they are werift's. */
  readonly #isTaken = (datagram: Buffer, from: MediaAddress, atMs: number): boolean => {
    this.#path.onHeard(atMs);
    if (this.#path.isAnswer(datagram, atMs)) return true;
    return this.#protection !== undefined && !this.#closed && this.#answers.isAnswered(datagram, from);
  };

  readonly #onMedia = (datagram: Buffer, from: MediaAddress, atMs = performance.now()): void => {
    if (!this.#protection || this.#closed || datagram.length < 12) return;
    const { media, control } = this.#protection.reads;
    try {
      if (isRtcp(datagram)) this.#onControl(control, datagram, from, atMs);
      else this.#onPacket(media, datagram, from, atMs);
    } catch (error) {
      this.#fail(error);
    }
  };

  #onPacket(reads: LinkProtection['reads']['media'], datagram: Buffer, from: MediaAddress, atMs: number): void {
    const end = reads.readInPlace(datagram);
    if (end === 0) return;
    this.#heard(from, atMs);
    this.#listener.onRtp(datagram, end, atMs);
  }

  /** What is not authentic has not come. */
  #onControl(reading: LinkProtection['reads']['control'], datagram: Buffer, from: MediaAddress, atMs: number): void {
    const compound = reading.read(datagram);
    if (!compound) return;
    this.#heard(from, atMs);
    this.#listener.onRtcp(compound, atMs);
  }

  /** Media goes where authentic media comes from, if a check of ours was answered there. */
  #heard(from: MediaAddress, atMs: number): void {
    this.#path.onHeard(atMs);
    if (from !== this.#mediaAddress && this.#guard.reaches(from)) this.#mediaAddress = from;
  }

  sendRtcp(compound: Buffer): void {
    if (this.#protection && !this.#closed) this.#sendProtected(this.#protection.writes.control.protect(compound));
  }

  /** Returns how many bytes have left; 0 before the link is up. */
  sendRtp(packet: OutgoingPacket): number {
    if (!this.#protection || this.#closed) return 0;
    const datagram = this.#protection.writes.media.protect(packet);
    this.#sendProtected(datagram);
    return datagram.length;
  }

  /** It stands in memory that the next one is written over. */
  #sendProtected(datagram: Buffer): void {
    const to = this.#mediaAddress;
    if (to) this.#put(datagram, to);
    else void this.#ice.connection.send(Buffer.from(datagram)).catch(() => undefined);
  }

  #put(datagram: Buffer, { outlet, port, address }: MediaAddress): void {
    this.#options.egress.send(outlet, datagram, port, address);
  }

  /** Idempotent, never rejects. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#endChecks();
    await this.#dtls.sayClosed();
    this.#dtls.dtls?.close();
    await this.#relay?.close();
    await this.#ice.stop().catch(() => undefined);
  }
}
