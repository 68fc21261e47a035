import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { type LocalSite, serveSite } from './local-site.js';

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

/** Serves the demos as they are, but for the settings in which each site says where its Janus is. */
export function serveJanusDemos(httpUrl: string): Promise<LocalSite> {
  const janus = httpUrl.replace('janus+http://', 'http://');
  const settings = `var server = '${janus}/janus'; var iceServers = null; var token = ''; var apisecret = '';`;
  return serveSite((request, response) => {
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
}
