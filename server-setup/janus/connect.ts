import { WebSocket } from 'ws';
import { LoadlineError } from '../../model/errors.js';
import type { ServerFacts } from '../../model/run.js';
import type { MissingAbility } from '../../model/server-abilities.js';
import { runsAt } from '../evidence/process-facts.js';
import type { listingDefaults } from '../listing-server.js';
import { hangUp, type Opening, openSocket, somebodyElse } from '../sockets/open-socket.js';
import { listenWithBounds } from '../sockets/socket-bounds.js';
import { janusAbilities } from './abilities.js';
import { AdminApi } from './admin-api.js';
import type { Channel, ChannelListener, OpenChannel } from './channel.js';
import { openHttpChannel } from './http-channel.js';
import { audioBridgePlugin, type Handle, JanusCalls, videoRoomPlugin } from './janus-calls.js';
import { JanusLink, type LinkListener } from './janus-link.js';
import { aJanus, anAdminApi, type JanusOptions } from './janus-options.js';
import type { JanusAddress } from './janus-url.js';

type Options = JanusOptions & typeof listingDefaults;

/** A Janus that answers, and how it is asked. */
export interface Connected {
  readonly calls: JanusCalls;
  /** Handles of the plugins that are there, in a session of their own, by which rooms are listed and destroyed. */
  readonly controls: readonly Handle[];
  readonly admin: AdminApi | undefined;
  readonly facts: ServerFacts;
}

/** Connects, makes sure that a Janus with VideoRoom is there, and that the secrets are right. In bounded time. */
export async function connect(
  options: Options,
  address: JanusAddress,
  listener: LinkListener & { readonly onEnded: () => void },
  signal: AbortSignal,
): Promise<Connected> {
  const place = { where: address.url, timeoutMs: options.requestTimeoutMs, open: openerOf(address, options) };
  const calls = new JanusCalls(await JanusLink.open(place, listener, signal), options.secrets?.api);
  try {
    const facts = await findFacts(calls, options, address, signal);
    const session = await calls.createSession(listener.onEnded);
    const plugins = facts.missing ? [videoRoomPlugin] : [videoRoomPlugin, audioBridgePlugin];
    const controls = await Promise.all(plugins.map((plugin) => calls.attach(session, plugin)));
    return { calls, controls, admin: await openAdmin(options, address, signal), facts };
  } catch (error) {
    await calls.close();
    throw error;
  }
}

function openerOf({ transport, url }: JanusAddress, { connectTimeoutMs: timeoutMs, secrets }: Options): OpenChannel {
  if (transport === 'websocket') {
    return (listener, signal) =>
      openWebSocketChannel({ address: { url }, timeoutMs, expected: aJanus }, listener, signal);
  }
  return (listener, signal) => openHttpChannel({ url, timeoutMs, apiSecret: secrets?.api }, listener, signal);
}

async function findFacts(
  calls: JanusCalls,
  { url, connectTimeoutMs, process }: Options,
  address: JanusAddress,
  signal: AbortSignal,
): Promise<ServerFacts> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(connectTimeoutMs)]);
  const info = await calls.info(inTime).catch((error: unknown) => {
    signal.throwIfAborted();
    const why =
      error instanceof LoadlineError ? (error.why ?? error.message) : `no answer in ${connectTimeoutMs / 1000} s`;
    throw somebodyElse(address.url, aJanus, why, error);
  });
  const { version_string: version, plugins } = info;
  if (version === undefined) throw somebodyElse(address.url, aJanus, 'it says no version of itself');
  if (plugins && !(videoRoomPlugin in plugins)) throw withoutPlugin(address.url, Object.keys(plugins));
  return {
    kind: 'janus',
    nature: 'product',
    name: `janus ${version}`,
    version,
    url,
    ...(await runsAt({ ...address, program: 'janus', process })),
    abilities: janusAbilities,
    ...(plugins && !(audioBridgePlugin in plugins) ? { missing: [withoutAudioBridge] } : {}),
  };
}

const withoutAudioBridge: MissingAbility = {
  shape: 'mix-sound',
  why: `it has not loaded ${audioBridgePlugin}`,
  todo: 'take libjanus_audiobridge.so out of the list "disable" of plugins in janus.jcfg, and start Janus anew',
};

/** Asked for by its secret: when it does not answer, a reset would show less than the user relies on. */
async function openAdmin(
  { secrets, adminUrl, connectTimeoutMs, requestTimeoutMs }: Options,
  { host }: JanusAddress,
  signal: AbortSignal,
): Promise<AdminApi | undefined> {
  if (secrets?.admin === undefined) return undefined;
  const url = adminUrl ?? `ws://${host.includes(':') ? `[${host}]` : host}:7188`;
  const open: OpenChannel = (listener, aborted) =>
    openWebSocketChannel({ address: { url }, timeoutMs: connectTimeoutMs, expected: anAdminApi }, listener, aborted);
  const silent = { onLost: () => undefined, onStray: () => undefined };
  const admin = new AdminApi(
    url,
    await JanusLink.open({ where: url, timeoutMs: requestTimeoutMs, open }, silent, signal),
    secrets.admin,
  );
  try {
    await admin.sessions(signal);
    return admin;
  } catch (error) {
    await admin.close();
    throw error;
  }
}

function withoutPlugin(url: string, loaded: readonly string[]): LoadlineError {
  return new LoadlineError('E_SERVER_PROTOCOL', 'The Janus has no VideoRoom.', {
    where: url,
    why: `it has loaded ${loaded.join(', ') || 'no plugin'}`,
    todo: 'take libjanus_videoroom.so out of the list "disable" of plugins in janus.jcfg, and start Janus anew',
  });
}

/** Frames over one WebSocket. Janus ends the sessions of a WebSocket with it, so that it is never opened again. */
export async function openWebSocketChannel(
  opening: Opening,
  listener: ChannelListener,
  signal: AbortSignal,
): Promise<Channel> {
  const socket = await openSocket(opening, signal);
  let closed: Promise<void> | undefined;
  listenWithBounds(socket, {
    onText: (text) => listener.onText(text),
    onEnd: (how) => {
      if (closed === undefined) listener.onLost(how);
    },
  });
  socket.resume();
  return {
    send: (frame) => {
      // While it closes, how it closed is still to come.
      if (socket.readyState !== WebSocket.OPEN) return undefined;
      const text = JSON.stringify(frame);
      socket.send(text);
      return text;
    },
    close: () => {
      closed ??= hangUp(socket);
      return closed;
    },
  };
}
