import {
  Candidate,
  candidateFoundation,
  candidatePriority,
  classes,
  type IceConnection,
  Message,
  methods,
  parseMessage,
  StunOverTurnProtocol,
  TurnProtocol,
} from 'werift';
import { atMost } from '../host/bounded-wait.js';
import type { RelayAccess } from '../model/turn.js';
import type { Outlet } from './egress.js';
import type { IceGuard, SentRequests } from './ice-guard.js';
import type { LinkAddress } from './link-address.js';
import { channelHeader, channelPayload, isChannelData, isDataIndication } from './turn-messages.js';
import { openTurnWay, type TurnWay } from './turn-way.js';
import type { MediaAddress, OnMedia } from './udp-hook.js';

/** As Chromium asks for: ten minutes (RFC 8656, 3.2), renewed before they are over. */
const lifetimeSeconds = 600;
/** A channel's permission lasts five minutes (RFC 8656, 9.1); binding again renews it; werift would wait eight. */
const channelRefreshTime = 240;
const giveBackWithinMs = 500;
const allocationMismatch = 437;
const portsTried = 3;

export interface RelayOptions {
  readonly access: RelayAccess;
  /** SHA-256 of the public key (base64) of a certificate that nobody vouches for. */
  readonly trustedKey?: string;
  readonly guard: IceGuard;
  readonly onMedia: OnMedia;
  /** As of `SocketHook`. */
  readonly isTaken?: (datagram: Buffer, from: MediaAddress, atMs: number) => boolean;
}

/** An address at a TURN server, which is the one way of a connection to the media server. */
export interface Relay {
  readonly own: LinkAddress;
  /** Of the UDP socket to that server; none where it is another one. */
  readonly socketPorts: readonly number[];
  /** Gives the address back. Idempotent, never rejects. */
  close(): Promise<void>;
}

/** What the TURN server says against it, or that it cannot be reached. */
export class RelayRefused extends Error {}

/** What of werift's ICE connection and TURN client is private, and reached for here alone. */
interface OpenConnection {
  readonly generation: number;
  readonly localUsername: string;
  readonly protocols: object[];
  ensureProtocol(protocol: object): void;
  appendLocalCandidate(candidate: Candidate): void;
}
interface OpenTurn {
  readonly channelByAddr: Readonly<Record<string, { readonly number: number } | undefined>>;
  readonly addrByChannel: Readonly<Record<number, readonly [string, number] | undefined>>;
  refreshHandle?: { resolve?(): void };
}

interface Relayed {
  readonly payload: Buffer;
  readonly peer: readonly [string, number];
}

/** Rejects with RelayRefused. */
export async function openRelay(connection: IceConnection, options: RelayOptions): Promise<Relay> {
  const { access } = options;
  const { turn, way } = await allocated(options);
  passMediaBy(turn, way, options);
  join(connection as unknown as OpenConnection, turn);
  const [address, port] = turn.relayedAddress;
  const [seenAddress, seenPort] = turn.mappedAddress;
  const seenAs = { address: seenAddress, port: seenPort };
  let closing: Promise<void> | undefined;
  return {
    own: { address, port, relayed: { protocol: access.protocol, url: access.url, seenAs } },
    socketPorts: way.isUdp ? [way.address.port] : [],
    close: () => {
      closing ??= giveBack(turn, way);
      return closing;
    },
  };
}

interface Allocation {
  readonly turn: TurnClient;
  readonly way: TurnWay;
}

/** Uses another port while the server still knows this one for an old allocation (RFC 8656, 6.4). RelayRefused. */
async function allocated({ access, trustedKey }: RelayOptions): Promise<Allocation> {
  for (let tries = 1; ; tries += 1) {
    const way = await openTurnWay(access, trustedKey).catch((error: unknown) => {
      throw new RelayRefused(`the TURN server is not reached over ${access.protocol}: ${wordsOf(error)}`);
    });
    const turn = new TurnClient([...way.server], access.username, access.credential, lifetimeSeconds, way, {
      channelRefreshTime,
    });
    try {
      await turn.connectionMade();
      return { turn, way };
    } catch (error) {
      way.end();
      const said = answerOf(error);
      if (said?.[0] === allocationMismatch && tries < portsTried) continue;
      throw new RelayRefused(
        `the TURN server ${said ? `said ${said.join(' ')}` : `does not answer (${wordsOf(error)})`}`,
      );
    }
  }
}

/** Media (first byte 128 to 191, RFC 7983) skips werift's STUN parser; its answers use the same channel. */
function passMediaBy(turn: TurnClient, way: TurnWay, { guard, onMedia, isTaken }: RelayOptions): void {
  const { channelByAddr, addrByChannel } = turn as unknown as OpenTurn;
  const outlet: Outlet = {
    put: (leaving, port, address) => {
      const datagram = Buffer.from(leaving);
      const channel = channelByAddr[`${address}:${port}`];
      if (channel) way.put(channelHeader(channel.number, datagram.length), datagram);
      else void turn.sendData(datagram, [address, port]).catch(() => undefined);
    },
  };
  let last: MediaAddress = { outlet, port: 0, address: '' };
  const sent = turn as unknown as SentRequests;
  const toWerift = way.onData;
  way.onData = (message, from) => {
    const relayed = relayedIn(message, addrByChannel);
    if (!relayed) return toWerift(message, from);
    const { payload, peer } = relayed;
    if (last.port !== peer[1] || last.address !== peer[0]) last = { outlet, port: peer[1], address: peer[0] };
    const first = payload[0] ?? 0;
    if (first < 128 || first > 191) {
      if (!guard.letsIn(payload, last, sent)) return;
      if (!isTaken?.(payload, last, performance.now())) turn.onData.execute(payload, peer);
      return;
    }
    onMedia(payload, last);
  };
}

/** A peer's data: over its channel, or in an indication, which werift would take for the TURN server's own. */
function relayedIn(message: Buffer, addrByChannel: OpenTurn['addrByChannel']): Relayed | undefined {
  if (isChannelData(message)) {
    const peer = addrByChannel[message.readUInt16BE(0)];
    return peer && { payload: channelPayload(message), peer };
  }
  const indication = isDataIndication(message) ? parseMessage(message) : undefined;
  const payload: unknown = indication?.getAttributeValue('DATA');
  const peer: readonly [string, number] | undefined = indication?.getAttributeValue('XOR-PEER-ADDRESS');
  return Buffer.isBuffer(payload) && peer ? { payload, peer } : undefined;
}

/** As werift does with what it has gathered itself. */
function join(connection: OpenConnection, turn: TurnClient): void {
  const protocol = new StunOverTurnProtocol(turn);
  const [address, port] = turn.relayedAddress;
  const [seenAddress, seenPort] = turn.mappedAddress;
  const foundation = candidateFoundation('relay', 'udp', address);
  const related = [seenAddress, seenPort, undefined, connection.generation, connection.localUsername] as const;
  const priority = candidatePriority('relay');
  protocol.localCandidate = new Candidate(foundation, 1, 'udp', priority, address, port, 'relay', ...related);
  connection.ensureProtocol(protocol);
  connection.protocols.push(protocol);
  connection.appendLocalCandidate(protocol.localCandidate);
}

/** A lifetime of nothing ends the allocation (RFC 8656, 3.3). */
async function giveBack(turn: TurnClient, way: TurnWay): Promise<void> {
  const request = new Message(methods.REFRESH, classes.REQUEST).setAttribute('LIFETIME', 0);
  await atMost(giveBackWithinMs, turn.requestWithRetry(request, [...way.server])).catch(() => undefined);
  (turn as unknown as OpenTurn).refreshHandle?.resolve?.();
  way.end();
}

/** werift's errors have the answer that they are about: its code and reason. */
function answerOf(error: unknown): readonly unknown[] | undefined {
  const { response } = error as { readonly response?: Message };
  const said: unknown = response?.getAttributeValue('ERROR-CODE');
  return Array.isArray(said) ? said : undefined;
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message || error.name : String(error));

/** What is to be taken off a request before it is signed again (RFC 8489, 14.5 and 14.7). */
const signature: readonly string[] = ['MESSAGE-INTEGRITY', 'FINGERPRINT'];

/**
 * werift's TURN client, which signs a request that is to be sent again, with the nonce of a server that has got tired
 * of the last one (438), over the first signature: no server takes that, and the address would be lost.
 */
class TurnClient extends TurnProtocol {
  override request(...[request, server]: Parameters<TurnProtocol['request']>): ReturnType<TurnProtocol['request']> {
    takeOff(request);
    return super.request(request, server);
  }
}

function takeOff(request: Message): void {
  const attributes = request.getAttributes();
  const kept = attributes.filter(([name]) => !signature.includes(name));
  attributes.splice(0, attributes.length, ...kept);
}
