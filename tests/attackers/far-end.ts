import {
  Candidate,
  candidateFromIce,
  defaultPeerConfig,
  ProtectionProfileAes128CmHmacSha1_80,
  RTCCertificate,
  RTCDtlsFingerprint,
  RTCDtlsParameters,
  RTCDtlsTransport,
  RTCIceGatherer,
  RTCIceParameters,
  RTCIceTransport,
  RtpHeader,
  type StunProtocol,
} from 'werift';
import type { RemoteTransport } from '../../rtp/link.js';
import type { Victim } from './victims.js';

const host = '127.0.0.1';

/** What of a DTLS socket whoever attacks has under its own hand. */
export interface OwnDtls {
  readonly cipher: {
    verifyData(transcript: Buffer): Buffer;
    encryptPacket(record: { readonly recordLayerHeader: { epoch: number } }): unknown;
  };
}

/** The certificate of an honest peer, which everybody may know, with the key of another one. */
export function withAnotherKey(honest: RTCCertificate, other: RTCCertificate): RTCCertificate {
  return new RTCCertificate(other.privateKey, honest.certPem, honest.signatureHash);
}

/** A certificate with a key of its own; werift keeps one for a process. */
export async function aCertificate(): Promise<RTCCertificate> {
  class Another extends RTCDtlsTransport {
    static override localCertificate = undefined as unknown as RTCCertificate;
    static override localCertificatePromise = undefined as unknown as Promise<RTCCertificate>;
  }
  return Another.SetupCertificate();
}

/**
 * The far end of a link, by werift as it comes: the honest one, or one that has overheard the descriptions and is in
 * its place.
 */
export class FarEnd {
  readonly ice: RTCIceTransport;
  readonly dtls: RTCDtlsTransport;
  readonly told: RemoteTransport;
  readonly #onDtls: (dtls: OwnDtls) => void;
  failed: string | undefined;

  private constructor(certificate: RTCCertificate, honest: RTCCertificate, onDtls: (dtls: OwnDtls) => void) {
    const gatherer = new RTCIceGatherer({ useIpv4: false, useIpv6: false, additionalHostAddresses: [host] });
    delete gatherer.connection.stunServer;
    this.ice = new RTCIceTransport(gatherer);
    this.dtls = new RTCDtlsTransport(defaultPeerConfig, this.ice, certificate, [ProtectionProfileAes128CmHmacSha1_80]);
    const { usernameFragment: iceUfrag, password: icePwd } = this.ice.localParameters;
    this.told = { iceUfrag, icePwd, fingerprints: honest.getFingerprints() };
    this.#onDtls = onDtls;
  }

  /** @param honest whose fingerprint the victim is told */
  static async open(
    certificate: RTCCertificate,
    honest: RTCCertificate,
    onDtls: (dtls: OwnDtls) => void = () => undefined,
  ): Promise<FarEnd> {
    const end = new FarEnd(certificate, honest, onDtls);
    await end.ice.gather();
    return end;
  }

  get port(): number {
    return this.ice.localCandidates[0]?.port ?? 0;
  }

  /** Until media can flow, as this end sees it; `victimRole`: of the victim's DTLS. */
  async connect(victim: Victim, victimRole: 'client' | 'server', controlling: boolean): Promise<void> {
    const { iceUfrag, icePwd, fingerprints } = victim.told;
    this.ice.connection.iceControlling = controlling;
    this.ice.setRemoteParams(new RTCIceParameters({ usernameFragment: iceUfrag, password: icePwd }));
    this.dtls.setRemoteParams(
      new RTCDtlsParameters(
        fingerprints.map(({ algorithm, value }) => new RTCDtlsFingerprint(algorithm, value)),
        victimRole,
      ),
    );
    this.dtls.role = victimRole === 'client' ? 'server' : 'client';
    const candidate = Candidate.fromSdp(`1 1 udp 2122260223 ${host} ${victim.port} typ host`);
    void this.ice.addRemoteCandidate(candidateFromIce(candidate));
    victim.connect(this.told, this.port);
    try {
      await this.ice.start();
      const started = this.dtls.start();
      if (this.dtls.dtls) this.#onDtls(this.dtls.dtls as unknown as OwnDtls);
      await started;
    } catch (error) {
      this.failed = String(error);
    }
  }

  /** What it sends goes through this, which may keep it back for a while: with what lets it go on. */
  sendsThrough(pass: (datagram: Buffer, send: (datagram: Buffer) => void) => void): void {
    for (const { transport } of Reflect.get(this.ice.connection, 'protocols') as StunProtocol[]) {
      const send = transport.send.bind(transport);
      transport.send = async (datagram, address) => pass(datagram, (one) => void send(one, address));
    }
  }

  /** A packet of media under its keys, not sent yet. */
  media(sequenceNumber: number): Buffer {
    const header = new RtpHeader({ sequenceNumber, timestamp: 0, payloadType: 96, ssrc: 7, marker: true });
    return this.dtls.srtp.encrypt(Buffer.alloc(100, 0x10), header);
  }

  /** A receiver report of nothing, the same. */
  control(): Buffer {
    return this.dtls.srtcp.encrypt(Buffer.from([0x80, 201, 0, 1, 0, 0, 0, 7]));
  }

  async send(datagram: Buffer): Promise<void> {
    await this.ice.connection.send(datagram);
  }

  async close(): Promise<void> {
    await this.dtls.stop();
  }
}
