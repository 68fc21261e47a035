import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LocalSite {
  /** "http://localhost:4711": to a browser a secure context, which cameras need. */
  readonly origin: string;
  close(): Promise<void>;
}

/** A web server of this machine alone, on a port of its own. */
export async function serveSite(answer: RequestListener): Promise<LocalSite> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
