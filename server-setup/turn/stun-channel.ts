import { createSocket } from 'node:dgram';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Message, parseMessage } from 'werift';
import type { TurnAddress } from './turn-url.js';

/** One way to a TURN server, for a few requests. */
export interface StunChannel {
  /** Rejects when the way is closed, or when no answer comes within `withinMs`. */
  request(message: Message, withinMs: number): Promise<Message>;
  close(): void;
}

/** UDP may lose a request: it is sent again this often (RFC 8489, 6.2.1 begins with 500 ms). */
const resendMs = 500;
const stunHeaderBytes = 20;

interface Wire {
  send(bytes: Buffer): void;
  close(): void;
}

/** Rejects when nobody listens there, or not in time. */
export async function openStunChannel(to: TurnAddress, withinMs: number): Promise<StunChannel> {
  // Loaded late: most runs have no TURN server.
  const werift = await import('werift');
  const waiting = new Set<(answer: Message | Error) => void>();
  const tell = (answer: Message | Error): void => {
    for (const listener of [...waiting]) listener(answer);
  };
  const came = (what: Buffer | Error): void => {
    const answer = what instanceof Error ? what : messageIn(what, werift.parseMessage);
    if (answer) tell(answer);
  };
  const wire = await (to.protocol === 'udp' ? openUdp(to, came) : openStream(to, came, withinMs));
  const resends = to.protocol === 'udp';
  return {
    request: (message, boundMs) =>
      new Promise((resolve, reject) => {
        const { bytes } = message;
        const settle = (act: () => void): void => {
          clearTimeout(late);
          clearInterval(again);
          waiting.delete(listener);
          act();
        };
        const listener = (answer: Message | Error): void => {
          if (answer instanceof Error) settle(() => reject(answer));
          else if (isAnswerTo(message, answer)) settle(() => resolve(answer));
        };
        const late = setTimeout(() => settle(() => reject(new Error(`no answer in ${boundMs / 1000} s`))), boundMs);
        const again = setInterval(() => resends && wire.send(bytes), resendMs);
        waiting.add(listener);
        wire.send(bytes);
      }),
    close: () => {
      tell(new Error('the channel was closed'));
      wire.close();
    },
  };
}

/** werift throws where an attribute is not of its form. `undefined` for what is no whole STUN message. */
function messageIn(bytes: Buffer, parse: typeof parseMessage): Message | undefined {
  try {
    return parse(bytes);
  } catch {
    return undefined;
  }
}

function isAnswerTo(request: Message, answer: Message): boolean {
  const { messageClass } = answer.json;
  const isAnswer = messageClass === 'RESPONSE' || messageClass === 'ERROR';
  return (
    isAnswer && answer.messageMethod === request.messageMethod && answer.transactionId.equals(request.transactionId)
  );
}

/** How long the message that begins here is; `undefined` while its header has not come. */
function stunLength(bytes: Buffer): number | undefined {
  return bytes.length < 4 ? undefined : stunHeaderBytes + bytes.readUInt16BE(2);
}

/** Connected, so that a port where nobody listens is told (ECONNREFUSED). */
function openUdp({ host, port }: TurnAddress, came: (bytes: Buffer | Error) => void): Promise<Wire> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    socket.on('error', (error) => {
      came(error);
      reject(error);
    });
    socket.on('message', came);
    let closed = false;
    const close = (): void => {
      if (!closed) socket.close();
      closed = true;
    };
    // A name that leads nowhere is told to the callback, and to nobody else.
    socket.connect(port, host, (error?: Error) => {
      if (error) {
        close();
        reject(error);
        return;
      }
      resolve({ send: (bytes) => void (closed || socket.send(bytes)), close });
    });
  });
}

/** Whether a certificate is good is for the probes' browser to say, which has trusted roots of its own. */
function openStream(to: TurnAddress, came: (bytes: Buffer | Error) => void, withinMs: number): Promise<Wire> {
  return new Promise((resolve, reject) => {
    const { host, port } = to;
    const socket: Socket =
      to.protocol === 'tls' ? connectTls({ host, port, rejectUnauthorized: false }) : connectTcp({ host, port });
    const fail = (error: Error): void => {
      came(error);
      reject(error);
      socket.destroy();
    };
    const late = setTimeout(() => fail(new Error(`no connection in ${withinMs / 1000} s`)), withinMs);
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      for (let length = stunLength(received); length !== undefined && received.length >= length; ) {
        came(received.subarray(0, length));
        received = received.subarray(length);
        length = stunLength(received);
      }
    });
    socket.on('error', fail);
    socket.once('close', () => {
      clearTimeout(late);
      fail(new Error('the connection was closed'));
    });
    socket.once(to.protocol === 'tls' ? 'secureConnect' : 'connect', () => {
      clearTimeout(late);
      resolve({ send: (bytes) => void socket.write(bytes), close: () => socket.destroy() });
    });
  });
}
