import { createCipheriv, hash, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { cpuUsage } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a packet of 1000 bytes must cost at the least in Node, µs of CPU by what is done with it. */
export async function packetFloor(): Promise<readonly (readonly [what: string, us: number])[]> {
  return [
    ['reading it from a socket of Node', await readingUs()],
    ['HMAC-SHA1 of it, two hashes', hmacUs()],
    ['AES in counter mode of all of it', cipherUs(1000)],
    ['AES in counter mode of its first 32 bytes', cipherUs(32)],
  ];
}

/** CPU time of this process for one datagram of 1000 bytes that is read, less that of sending it. */
async function readingUs(): Promise<number> {
  const count = 20_000;
  const [sender, receiver] = [createSocket('udp4'), createSocket({ type: 'udp4', recvBufferSize: 4_000_000 })];
  receiver.bind(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address();
  let received = 0;
  receiver.on('message', () => {
    received += 1;
  });
  const payload = randomBytes(1000);
  const send = async (to: number): Promise<number> => {
    const before = cpuUsage();
    for (let nth = 0; nth < count; nth += 1) {
      sender.send(payload, to, '127.0.0.1');
      if (nth % 10 === 9) await sleep(0);
    }
    await sleep(200);
    const { user, system } = cpuUsage(before);
    return user + system;
  };
  const idle = createSocket('udp4');
  idle.bind(0, '127.0.0.1');
  await once(idle, 'listening');
  const { port: closed } = idle.address();
  idle.close();
  await send(port);
  received = 0;
  const withReading = await send(port);
  sender.on('error', () => undefined);
  const without = await send(closed);
  const us = (withReading - without) / received;
  sender.close();
  receiver.close();
  return us;
}

function hmacUs(): number {
  const [inner, outer] = [randomBytes(1088), randomBytes(84)];
  return usOf(() => {
    hash('sha1', inner, 'binary');
    hash('sha1', outer, 'binary');
  });
}

function cipherUs(bytes: number): number {
  const cipher = createCipheriv('aes-128-ecb', randomBytes(16), null).setAutoPadding(false);
  const counters = Buffer.alloc(Math.ceil(bytes / 16) * 16);
  return usOf(() => cipher.update(counters));
}

function usOf(act: () => unknown): number {
  const count = 50_000;
  for (let nth = 0; nth < count; nth += 1) act();
  const before = cpuUsage();
  for (let nth = 0; nth < count; nth += 1) act();
  const { user, system } = cpuUsage(before);
  return (user + system) / count;
}
