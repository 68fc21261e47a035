import { randomBytes } from 'node:crypto';
import type { TurnCredentials } from './credentials.js';
import { openStunChannel, type StunChannel } from './stun-channel.js';
import {
  attributeOf,
  longTermKey,
  refusalIn,
  type StunAttribute,
  type StunMessage,
  stunAttributes,
  stunTypes,
} from './stun-message.js';
import type { TurnAddress } from './turn-url.js';

/** RFC 8656, 14.7: the relay is to carry UDP (17). */
const relayUdp: StunAttribute = { type: stunAttributes.requestedTransport, value: Buffer.from([17, 0, 0, 0]) };
const lifetimeZero: StunAttribute = { type: stunAttributes.lifetime, value: Buffer.alloc(4) };

/** Rejects when the server does not answer a STUN Binding request; a refusal is an answer. */
export async function pingTurnServer(to: TurnAddress, withinMs: number): Promise<void> {
  const channel = await openStunChannel(to, withinMs);
  try {
    await channel.request(requestOf(stunTypes.binding, []), withinMs);
  } finally {
    channel.close();
  }
}

/**
 * Asks for a relay address as a probe would, and gives it back at once. Resolves with what the server calls itself, if it
 * does. Rejects with what it said when it gives none.
 */
export async function proveTurnServer(
  to: TurnAddress,
  { username, credential }: TurnCredentials,
  withinMs: number,
): Promise<string | undefined> {
  const channel = await openStunChannel(to, withinMs);
  try {
    // The first request is refused in any case: the refusal brings the realm and the nonce that the second one signs.
    const first = await channel.request(requestOf(stunTypes.allocate, [relayUdp]), withinMs);
    const realm = attributeOf(first, stunAttributes.realm);
    const nonce = attributeOf(first, stunAttributes.nonce);
    const refused = refusalIn(first);
    if (refused && refused.code !== 401) throw new Error(`it said ${refused.code} ${refused.reason}`);
    if (!refused || !realm || !nonce)
      throw new Error('it asked for no credentials, which a TURN server must (RFC 8656, 7.2)');
    const signed: StunAttribute[] = [
      { type: stunAttributes.username, value: Buffer.from(username) },
      { type: stunAttributes.realm, value: realm },
      { type: stunAttributes.nonce, value: nonce },
    ];
    const key = longTermKey(username, realm.toString(), credential);
    const answer = await agreed(channel, requestOf(stunTypes.allocate, [relayUdp, ...signed]), withinMs, key);
    await agreed(channel, requestOf(stunTypes.refresh, [lifetimeZero, ...signed]), withinMs, key);
    return attributeOf(answer, stunAttributes.software)?.toString();
  } finally {
    channel.close();
  }
}

async function agreed(channel: StunChannel, request: StunMessage, withinMs: number, key: Buffer): Promise<StunMessage> {
  const answer = await channel.request(request, withinMs, key);
  const refused = refusalIn(answer);
  if (refused) throw new Error(`it said ${refused.code} ${refused.reason}`);
  return answer;
}

function requestOf(type: number, attributes: readonly StunAttribute[]): StunMessage {
  return { type, transaction: randomBytes(12), attributes };
}
