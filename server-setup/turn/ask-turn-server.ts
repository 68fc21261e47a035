import type { Message } from 'werift';
import type { TurnCredentials } from './credentials.js';
import { openStunChannel, type StunChannel } from './stun-channel.js';
import type { TurnAddress } from './turn-url.js';

/** RFC 8656, 14.7: the relay is to carry UDP (17). */
const udpTransport = 17 * 2 ** 24;

/** Rejects when the server does not answer a STUN Binding request; a refusal is an answer. */
export async function pingTurnServer(to: TurnAddress, withinMs: number): Promise<void> {
  const { classes, Message, methods } = await import('werift');
  const channel = await openStunChannel(to, withinMs);
  try {
    await channel.request(new Message(methods.BINDING, classes.REQUEST), withinMs);
  } finally {
    channel.close();
  }
}

/**
 * Asks for a relay address as a probe would, and gives it back at once. Resolves with what the server calls itself, if
 * it does. Rejects with what it said when it gives none.
 */
export async function proveTurnServer(
  to: TurnAddress,
  { username, credential }: TurnCredentials,
  withinMs: number,
): Promise<string | undefined> {
  const { classes, makeIntegrityKey, Message, methods } = await import('werift');
  const allocation = () =>
    new Message(methods.ALLOCATE, classes.REQUEST).setAttribute('REQUESTED-TRANSPORT', udpTransport);
  const channel = await openStunChannel(to, withinMs);
  try {
    // The first request is refused in any case: the refusal brings the realm and the nonce that the second one signs.
    const first = await channel.request(allocation(), withinMs);
    const realm: string | undefined = first.getAttributeValue('REALM');
    const nonce: Buffer | undefined = first.getAttributeValue('NONCE');
    const refused = refusalIn(first);
    if (refused && refused.code !== 401) throw new Error(`it said ${refused.code} ${refused.reason}`);
    if (!refused || !realm || !nonce)
      throw new Error('it asked for no credentials, which a TURN server must (RFC 8656, 7.2)');
    const key = makeIntegrityKey(username, realm, credential);
    const signed = (request: Message) =>
      request
        .setAttribute('USERNAME', username)
        .setAttribute('REALM', realm)
        .setAttribute('NONCE', nonce)
        .addMessageIntegrity(key);
    const answer = await agreed(channel, signed(allocation()), withinMs);
    const release = new Message(methods.REFRESH, classes.REQUEST).setAttribute('LIFETIME', 0);
    await agreed(channel, signed(release), withinMs);
    return answer.getAttributeValue('SOFTWARE');
  } finally {
    channel.close();
  }
}

async function agreed(channel: StunChannel, request: Message, withinMs: number): Promise<Message> {
  const answer = await channel.request(request, withinMs);
  const refused = refusalIn(answer);
  if (refused) throw new Error(`it said ${refused.code} ${refused.reason}`);
  return answer;
}

/** The server's refusal, such as 401 Unauthorized; `undefined` when it agreed. */
function refusalIn(answer: Message): { readonly code: number; readonly reason: string } | undefined {
  if (answer.json.messageClass !== 'ERROR') return undefined;
  const [code, reason]: readonly [number, string] = answer.getAttributeValue('ERROR-CODE') ?? [0, ''];
  return { code, reason };
}
