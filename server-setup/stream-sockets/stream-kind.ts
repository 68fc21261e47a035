import { z } from 'zod';
import type { Environment } from '../../model/environment.js';
import { given } from '../../model/given.js';
import type { ServerAbilities } from '../../model/server-abilities.js';
import { waitsOf } from '../await-stream.js';
import { processOption } from '../process-option.js';
import type { ServerKind } from '../server-kind.js';
import { placeIn, unreadableAddress } from '../sockets/place-in-url.js';
import type { StreamDoor } from './stream-door.js';

interface StreamKind extends Pick<ServerKind, 'name' | 'inWords' | 'environment'>, Pick<ServerAbilities, 'namesTurn'> {
  readonly ports: { readonly plain: number; readonly secure: number };
  /** The usual name of an application, for examples. */
  readonly application: string;
  /** Of its WebSocket, behind the application: "/websocket", or nothing. */
  readonly path: string;
  /** @param application its address: "ws://host:3333/app" */
  readonly door: (application: string, env: Environment) => Promise<StreamDoor>;
}

/**
 * One application of a server that takes a stream or gives one. What it does to payloads depends on the application's
 * settings. Without media no stream is there to view, and one that is published is soon given up.
 */
const abilities: ServerAbilities = {
  shapes: ['forward'],
  severalStreams: false,
  records: false,
  tellsResources: false,
  reset: 'not-provable',
  turn: true,
  receivesNeedMedia: true,
  codecs: { forwards: ['VP8', 'H264'], mixes: [], records: [] },
};

const settings = z.object({ process: z.string().optional() });

export function streamKind(of: StreamKind): ServerKind {
  const { name, inWords, environment, namesTurn, ports, application, path, door } = of;
  return {
    name,
    inWords,
    nature: 'product',
    place: {
      by: 'address',
      schemes: [name, `${name}+wss`],
      form: `${name}://HOST/APP`,
      example: `${name}://10.0.0.5:${ports.plain}/${application}`,
      hostOf: (url) => placeOf(of, url).host,
      ofWebSocket: ({ protocol, hostname, port, pathname }) => {
        const isSecure = protocol === 'wss:';
        const isOurs = port === String(isSecure ? ports.secure : ports.plain) && pathname.endsWith(path);
        const app = pathname.slice(0, pathname.length - path.length);
        return isOurs ? `${name}${isSecure ? '+wss' : ''}://${hostname}:${port}${app}` : undefined;
      },
    },
    options: [processOption],
    abilities: { ...abilities, ...given({ namesTurn }) },
    settings,
    programs: [],
    ...given({ environment }),
    subscribing: () => 'each',
    planned: ({ url = '' }) => `${url} (not tried on the product)`,
    make: async ({ plan, server, env = {} }) => {
      const { StreamServer } = await import('./stream-server.js');
      const { url = '' } = server;
      const { host, address } = placeOf(of, url);
      return new StreamServer({
        ...{ kind: name, url, host, abilities },
        door: await door(address, env),
        ...waitsOf(plan.thresholds),
        ...given({ process: settings.parse(server).process }),
      });
    },
  };
}

/** Throws E_SERVER_URL. */
function placeOf({ name, ports, application }: StreamKind, text: string) {
  const [, secure, rest = ''] = /^[a-z]+(\+wss)?:\/\/(.*)$/i.exec(text) ?? [];
  const forms = `${name}://HOST/${application} or ${name}://HOST:PORT/${application}, or ${name}+wss:// for TLS`;
  const unreadable = unreadableAddress(text, `write ${forms}`);
  const { url, port, host } = placeIn(rest, secure === undefined ? ports.plain : ports.secure, unreadable);
  if (url.username !== '' || url.password !== '') throw unreadable('a login belongs into the environment, not here');
  if (url.search !== '' || url.hash !== '') throw unreadable('nothing may follow the application');
  if (!/^\/[^/]+\/?$/.test(url.pathname)) throw unreadable('it names no application, or more than one');
  const place = `${url.hostname}:${port}${url.pathname.replace(/\/$/, '')}`;
  return { host, address: `${secure === undefined ? 'ws' : 'wss'}://${place}` };
}
