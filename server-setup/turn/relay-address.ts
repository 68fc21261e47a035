import { createSocket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import { isThisHost } from '../evidence/host-address.js';

const loopback = '127.0.0.1';
/** Nothing is sent there: it only takes a port to ask the kernel for a route (RFC 863, discard). */
const anyPort = 9;

/**
 * The address of this host that a TURN server relays from, so that the media server can answer it. For one on another
 * host that is where the route to it begins. One on this host may live in a container, which cannot answer 127.0.0.1.
 */
export async function relayAddressTowards(mediaServerHost: string): Promise<string> {
  if (await isThisHost(mediaServerHost)) return firstOutside() ?? loopback;
  return (await routeTo(mediaServerHost)) ?? firstOutside() ?? loopback;
}

function firstOutside(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
}

function routeTo(host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4').once('error', () => resolve(undefined));
    socket.connect(anyPort, host, (error?: Error) => {
      const { address } = error ? { address: undefined } : socket.address();
      socket.close(() => resolve(address));
    });
  });
}
