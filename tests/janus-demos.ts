import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

/** Where Debian's janus-demos and the libraries that they need lie. */
const demos = '/usr/share/janus/demos';
const libraries = '/usr/share/javascript';

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

export async function hasJanusDemos(): Promise<boolean> {
  return access(join(demos, 'videoroomtest.html')).then(
    () => true,
    () => false,
  );
}

export interface Demos {
  /** "http://localhost:4711". */
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves the demos as they are, but for the settings in which each site says where its Janus is. */
export async function serveJanusDemos(httpUrl: string): Promise<Demos> {
  const janus = httpUrl.replace('janus+http://', 'http://');
  const settings = `var server = '${janus}/janus'; var iceServers = null; var token = ''; var apisecret = '';`;
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream');
    if (path === '/settings.js') {
      response.end(settings);
      return;
    }
    const file = path.startsWith('/javascript/')
      ? join(libraries, path.slice('/javascript'.length))
      : join(demos, path);
    createReadStream(file)
      .once('error', () => response.writeHead(404).end())
      .pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
