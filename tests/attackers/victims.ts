import { Egress } from '../../rtp/egress.js';
import type { AllowedAddresses } from '../../rtp/ice-guard.js';
import { Link, type RemoteTransport } from '../../rtp/link.js';
import { type DtlsRole, NativeLink } from '../../rtp/native-link.js';

/** A link under attack, on loopback. */
export interface Victim {
  readonly port: number;
  readonly told: RemoteTransport;
  /** What happened to it: `ice`, `connected`, `failed: …`. */
  readonly happened: readonly string[];
  /** How many packets it took for its far end's. */
  readonly received: { media: number; control: number };
  /** Connects to a far end that is told to be at this port. */
  connect(to: RemoteTransport, port: number): void;
  sendControl(compound: Buffer): void;
  close(): Promise<void>;
}

const host = '127.0.0.1';
const clock = {
  nowMs: () => Date.now(),
  after: (ms: number, act: () => void) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
const candidateAt = (port: number): string => `candidate:1 1 udp 2122260223 ${host} ${port} typ host`;
const toldOf = (iceUfrag: string, icePwd: string, value: string): RemoteTransport => ({
  ...{ iceUfrag, icePwd },
  fingerprints: [{ algorithm: 'sha-256', value }],
});

/** By name; `role`: of the victim's DTLS. */
export const victims: readonly { readonly name: string; readonly role: DtlsRole; open(): Promise<Victim> }[] = [
  { name: 'the embedded server', role: 'client', open: openServer },
  { name: 'a native probe as DTLS client', role: 'client', open: () => openProbe('client') },
  { name: 'a native probe as DTLS server', role: 'server', open: () => openProbe('server') },
];

async function openServer(): Promise<Victim> {
  const happened: string[] = [];
  const received = { media: 0, control: 0 };
  let port = 0;
  const link = new Link(
    { host, egress: new Egress(clock), onReceived: () => undefined },
    {
      onLocalCandidate: (candidate) => {
        port = candidate.port;
      },
      onGathered: () => undefined,
      onIceConnecting: () => undefined,
      onIceSelected: () => void happened.push('ice'),
      onConnected: () => void happened.push('connected'),
      onFailed: (why) => void happened.push(`failed: ${why}`),
      onRtp: () => {
        received.media += 1;
      },
      onRtcp: () => {
        received.control += 1;
      },
    },
  );
  await link.gather();
  return {
    port,
    told: toldOf(link.iceUfrag, link.icePwd, link.fingerprint),
    happened,
    received,
    connect: (to, toPort) => {
      link.setRemote(to);
      link.addRemoteCandidate(candidateAt(toPort));
    },
    sendControl: (compound) => link.sendRtcp(compound),
    close: () => link.close(),
  };
}

/** @param allowed where it may send; absent: anywhere */
export async function openProbe(role: DtlsRole, allowed?: AllowedAddresses): Promise<Victim> {
  const happened: string[] = [];
  const received = { media: 0, control: 0 };
  const link = new NativeLink(
    {
      ...{ addresses: [host], egress: new Egress(clock), clock, readBytes: () => 1500 },
      ...(allowed ? { allowed } : {}),
    },
    // Who makes the offer may be either (RFC 8842, 5.3).
    role === 'server',
    {
      onIceConnected: () => void happened.push('ice'),
      onConnected: () => void happened.push('connected'),
      onFailed: (why) => void happened.push(`failed: ${why}`),
      onDisconnected: () => void happened.push('disconnected'),
      onRtp: () => {
        received.media += 1;
      },
      onRtcp: () => {
        received.control += 1;
      },
    },
  );
  await link.gather();
  const { iceUfrag, icePwd, fingerprint } = link.described;
  return {
    port: link.ports[0] ?? 0,
    told: toldOf(iceUfrag, icePwd, fingerprint),
    happened,
    received,
    connect: (to, toPort) => {
      link.remote.add(candidateAt(toPort));
      void link.connect(to, role);
    },
    sendControl: (compound) => link.sendRtcp(compound),
    close: () => link.close(),
  };
}
