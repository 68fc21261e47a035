import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { memoryUsage } from 'node:process';
import { RTCDtlsTransport } from 'werift';
import { type WebSocket, WebSocketServer } from 'ws';
import { hasGStreamer } from '../host/find-gstreamer.js';
import { once } from '../host/once.js';
import { recordingFolders } from '../host/recording-folders.js';
import { removeFolder } from '../host/remove-folder.js';
import { LoadlineError } from '../model/errors.js';
import { given } from '../model/given.js';
import { type Clock, Egress, headerBytes } from '../rtp/egress.js';
import { LoopLag } from '../rtp/loop-lag.js';
import { type Admission, refusalStatus } from './admission.js';
import { AnswerRate } from './answer-rate.js';
import { ColdStart } from './cold-start.js';
import { type Imitation, wellBehaved } from './imitation.js';
import { misledBy } from './media/misled-streams.js';
import { collectMs, Dispatcher } from './rpc/dispatcher.js';
import { readFrames } from './rpc/frame.js';
import type { Connection } from './rpc/sessions.js';
import { WhipHttp, whipTarget } from './whip/whip-http.js';

export interface EmbeddedServerOptions {
  /** Address to listen on, and the only one offered as ICE candidate. Default 127.0.0.1. */
  readonly host?: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Rate that everything sent over UDP is held to, bits per second; absent for none. */
  readonly egressLimitBps?: number;
  /** What every request must bring. Default: none. */
  readonly token?: string;
  /** The one folder that recorders write into, absolute; left out: a temporary one of its own. */
  readonly recordIn?: string;
  /** Loadline's own, told by ServerManager.getMetadata. */
  readonly version?: string;
  /** Cap that senders are told, kbit/s, until a client sets another. Default 500, as Kurento's. */
  readonly maxVideoKbps?: number;
  /** Senders are held to what receivers, and the way from the sender, are estimated to carry. Default false. */
  readonly followEstimates?: boolean;
  /** How it misbehaves, as real servers do. Default: not at all. */
  readonly imitation?: Partial<Imitation>;
  /** More connections at once are refused with 503. Default 1000. */
  readonly connectionsMax?: number;
}

export interface EmbeddedServer {
  /** `ws://HOST:PORT/kurento`. */
  readonly url: string;
  /** Where a stream is published and viewed by WHIP and WHEP, with `{stream}` for its name. */
  readonly whip: string;
  readonly whep: string;
  readonly port: number;
  /** False without GStreamer: then Composite and HubPort cannot be created. */
  readonly canMix: boolean;
  /** Releases every object, closes every socket. Idempotent, never rejects. */
  close(): Promise<void>;
}

/** What `GET /loadline/resources` answers. Bytes and packets count from the start, with 28 bytes of header each. */
interface EmbeddedResources {
  readonly egressBytes: number;
  readonly egressDroppedPackets: number;
  readonly ingressBytes: number;
  readonly pipelines: number;
  readonly endpoints: number;
  readonly rssMb: number;
}

/** The largest request is an SDP offer of some 10 kB. */
const frameBytesMax = 1_000_000;
/** A client that does not read what it asked for is dropped before it fills the memory. */
const unreadBytesMax = 64_000_000;
/** A client needs one connection. */
const connectionsMax = 1000;

const loopLag = new LoopLag(() => performance.nodeTiming.idleTime);

const systemClock: Clock = {
  // Monotonic, and on the wall clock's scale for NTP.
  nowMs: () => performance.timeOrigin + performance.now(),
  lagMs: () => loopLag.read(performance.now()),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * Starts the embedded media server: WebRTC endpoints behind Kurento's JSON-RPC protocol, media forwarded as it came.
 *
 * It says "KMS" and a Kurento version in `getInfo`, because kurento-client accepts nothing else, and tells what it is
 * by `ServerManager.getMetadata`, which answers `{"server":"loadline-embedded",…}` where a Kurento answers nothing.
 *
 * Rejects with E_PORT_IN_USE when the port is taken, and E_INTERNAL when it cannot listen for another reason.
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const host = options.host ?? '127.0.0.1';
  await RTCDtlsTransport.SetupCertificate();
  const canMix = await hasGStreamer();
  const egress = new Egress(systemClock, options.egressLimitBps);
  const imitation = { ...wellBehaved, ...options.imitation };
  // Where none can be made, recording is refused with that reason, and all else works.
  const ownFolder =
    options.recordIn === undefined ? await recordingFolders.make(tmpdir()).catch(() => undefined) : undefined;
  const recordIn = options.recordIn ?? ownFolder;
  let ingressBytes = 0;
  const dispatcher = new Dispatcher({
    host,
    clock: systemClock,
    egress,
    maxVideoKbps: options.maxVideoKbps ?? 500,
    followEstimates: options.followEstimates ?? false,
    imitation,
    misled: { audio: misledBy(imitation.soundFault), video: misledBy(imitation.pictureFault) },
    coldStart: new ColdStart(systemClock, imitation.slowFirstJoinMs),
    answerRate: new AnswerRate(systemClock, imitation.answersPerSecond),
    canMix,
    ...given({ version: options.version, recordIn }),
    onReceived: (bytes) => {
      ingressBytes += bytes + headerBytes;
    },
  });
  const resources = (): EmbeddedResources => ({
    ...egress.counts(),
    ingressBytes,
    pipelines: dispatcher.objects.ofType('MediaPipeline').length,
    endpoints: dispatcher.objects.ofType('WebRtcEndpoint').length,
    rssMb: Math.round(memoryUsage.rss() / 104_857.6) / 10,
  });
  const admission: Admission = { token: options.token, host };
  const whip = new WhipHttp(dispatcher);
  const http = createServer((request, response) => answerHttp(request, response, admission, { resources, whip }));
  const sockets = acceptSockets(http, dispatcher, admission, options.connectionsMax ?? connectionsMax);
  const removeOwn = async (): Promise<void> => (ownFolder === undefined ? undefined : removeFolder(ownFolder));
  const port = await listen(http, options.port, host).catch(async (error: unknown) => {
    await removeOwn();
    throw error;
  });
  const collector = setInterval(() => void dispatcher.collect(), collectMs).unref();
  const close = once(async (): Promise<void> => {
    clearInterval(collector);
    whip.close();
    dispatcher.context.coldStart.close();
    dispatcher.context.answerRate.close();
    await dispatcher.close();
    egress.close();
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
    http.closeAllConnections();
    await new Promise<void>((resolve) => http.close(() => resolve()));
    await removeOwn();
  });
  return { ...addressesOf(host, port), port, canMix, close };
}

function addressesOf(host: string, port: number): Pick<EmbeddedServer, 'url' | 'whip' | 'whep'> {
  const at = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return { url: `ws://${at}/kurento`, whip: `http://${at}/{stream}/whip`, whep: `http://${at}/{stream}/whep` };
}

function listen(http: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port, host)));
    http.listen(port, host, () => resolve((http.address() as AddressInfo).port));
  });
}

function listenError(error: NodeJS.ErrnoException, port: number, host: string): LoadlineError {
  if (error.code === 'EADDRINUSE') {
    return new LoadlineError('E_PORT_IN_USE', `Port ${port} on ${host} is taken by another program.`, {
      why: error.message,
      todo: 'stop that program, or choose another port with --port',
      cause: error,
    });
  }
  return new LoadlineError('E_INTERNAL', `The media server cannot listen on ${host}, port ${port}.`, {
    why: error.message,
    cause: error,
  });
}

function answerHttp(
  request: IncomingMessage,
  response: ServerResponse,
  admission: Admission,
  { resources, whip }: { readonly resources: () => EmbeddedResources; readonly whip: WhipHttp },
): void {
  const refusal = refusalStatus(request, admission);
  const place = whipTarget(pathOf(request));
  if (refusal !== undefined) {
    response.writeHead(refusal).end();
  } else if (place !== undefined) {
    void whip.answer(request, response, place);
  } else if (request.method === 'GET' && pathOf(request) === '/loadline/resources') {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(resources()));
  } else {
    response.writeHead(404).end();
  }
}

/** Without a query and a slash at its end. */
function pathOf({ url = '' }: IncomingMessage): string {
  return url.replace(/\?.*$/, '').replace(/\/$/, '');
}

function acceptSockets(http: Server, dispatcher: Dispatcher, admission: Admission, most: number): WebSocketServer {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: frameBytesMax, perMessageDeflate: false });
  http.on('upgrade', (request, socket, head) => {
    // Who is gone before being refused would else end the process: Node listens no more.
    socket.on('error', () => socket.destroy());
    const refusal = refusalStatus(request, admission) ?? (sockets.clients.size >= most ? 503 : undefined);
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal} ${STATUS_CODES[refusal]}\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      if (pathOf(request) === '/kurento') serveClient(client, dispatcher);
      else client.close(1002, 'Invalid path');
    });
  });
  return sockets;
}

function serveClient(client: WebSocket, dispatcher: Dispatcher): void {
  const connection: Connection = {
    send: (frame) => {
      if (client.bufferedAmount > unreadBytesMax) client.terminate();
      if (client.readyState === client.OPEN) client.send(frame);
    },
  };
  client.on('message', (data) => {
    const frames = readFrames(String(data));
    // A Kurento drops the connection of a client that sends no JSON.
    if (frames === undefined) client.terminate();
    else for (const frame of frames) void dispatcher.answer(frame, connection).then((reply) => connection.send(reply));
  });
  client.on('close', () => dispatcher.disconnected(connection));
  // A client that vanishes or breaks the protocol ends in 'close'; without a listener it would end the process.
  client.on('error', () => client.terminate());
}
