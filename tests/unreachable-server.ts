import { type WebSocket, WebSocketServer, WebSocket as WebSocketTo } from 'ws';

/** The port that nobody listens on. */
const discard = 9;

export interface UnreachableServer {
  /** Where it is asked, as a Kurento is. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A server in front of another one: all that is said passes, and every candidate of either side names a port that
 * nobody listens on.
 */
export async function startUnreachableServer(behind: string): Promise<UnreachableServer> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  server.on('connection', (client) => {
    const far = new WebSocketTo(behind);
    const waiting: string[] = [];
    far.on('open', () => {
      for (const text of waiting.splice(0)) far.send(text);
    });
    client.on('message', (data) => {
      const text = withoutPorts(String(data));
      if (far.readyState === WebSocketTo.OPEN) far.send(text);
      else waiting.push(text);
    });
    far.on('message', (data) => client.send(withoutPorts(String(data))));
    closeTogether(client, far);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `kurento://127.0.0.1:${address.port}/kurento`,
    close: async () => {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function withoutPorts(text: string): string {
  return text.replace(/(candidate:\S+ \d+ \w+ \d+ \S+) \d+ typ/g, `$1 ${discard} typ`);
}

function closeTogether(one: WebSocket, other: WebSocket): void {
  one.on('close', () => other.terminate());
  other.on('close', () => one.terminate());
  one.on('error', () => other.terminate());
  other.on('error', () => one.terminate());
}
