import { type Message, TurnProtocol } from 'werift';

/** What is to be taken off a request before it is signed again (RFC 8489, 14.5 and 14.7). */
const signature: readonly string[] = ['MESSAGE-INTEGRITY', 'FINGERPRINT'];

/**
 * werift's TURN client, which signs a request that is to be sent again, with the nonce of a server that has got tired
 * of the last one (438), over the first signature: no server takes that, and the address would be lost.
 */
export class TurnClient extends TurnProtocol {
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
