import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeFolder } from '../../host/remove-folder.js';
import { LoadlineError, messageOf } from '../../model/errors.js';
import { given } from '../../model/given.js';
import type { TurnFacts, TurnProtocol, TurnUsage } from '../../model/turn.js';
import { ProcessMeter } from '../evidence/process-resources.js';
import { proveTurnServer } from './ask-turn-server.js';
import { makeCertificate } from './certificate.js';
import { certificateFile, configFile, coturnConfig, keyFile, turnFolders } from './coturn-config.js';
import { CoturnLog, checkUser } from './coturn-log.js';
import { type CoturnProcess, startCoturn } from './coturn-process.js';
import { credentialsFor, type TurnSecrets } from './credentials.js';
import { nameOf, pick } from './given-relay.js';
import { watchForLoss } from './lost-watch.js';
import type { OpenRelay, OpenRelayOptions, TurnRelay } from './turn-relay.js';
import { type TurnAddress, turnUrl } from './turn-url.js';

interface CoturnRelayOptions {
  readonly protocol: TurnProtocol;
  /** The address of this host from which the media server is reached. */
  readonly relayAddress: () => Promise<string>;
  /** Absolute path under which its folder lives while it is needed. */
  readonly temporaryRoot: string;
}

export const coturnInstallCommand = 'sudo apt-get install coturn';

/** Probes are on this host, so nobody else needs to reach it. */
const listenAddress = '127.0.0.1';
const startWithinMs = 10_000;
const answerWithinMs = 2000;
const retryMs = 50;
/** Somebody may take the port between our finding it free and coturn's binding it. */
const attempts = 3;
/** coturn looks once a second for allocations that were given back over UDP. */
const lastUsageMs = 3000;
const secretBytes = 32;

/** A coturn of our own on this host, a new one for each trial. */
export class CoturnRelay implements TurnRelay {
  readonly #running = new Set<RunningCoturn>();

  constructor(private readonly options: CoturnRelayOptions) {}

  async start(signal: AbortSignal): Promise<TurnFacts> {
    const { protocol } = this.options;
    const running = await this.#begin(signal);
    await this.#end(running);
    const { software, address } = running;
    return { name: nameOf(software), url: address.url, protocol, ours: true, sameHost: true, threads: relayThreads() };
  }

  async open({ lifetimeMs, onLost }: OpenRelayOptions, signal: AbortSignal): Promise<OpenRelay> {
    const running = await this.#begin(signal);
    const { secrets, address, process, publicKeySha256 } = running;
    const expiresAtMs = Date.now() + lifetimeMs;
    let closed = false;
    const lose = (detail: string): void => {
      if (!closed) onLost(detail);
      closed = true;
      stopWatching();
    };
    const stopWatching = watchForLoss(address, lose);
    void process.exited.then(lose);
    return {
      accessFor: (probe) => ({
        url: address.url,
        protocol: address.protocol,
        ...credentialsFor(secrets, probe, expiresAtMs),
      }),
      ...given({ trustedKey: publicKeySha256 }),
      ...readingsOf(running),
      close: async () => {
        closed = true;
        stopWatching();
        await this.#end(running);
      },
    };
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running].map((running) => this.#end(running)));
  }

  /** Starts a coturn and sees it give a relay. Rejects with E_TURN_START; then nothing is left behind. */
  async #begin(signal: AbortSignal): Promise<RunningCoturn> {
    for (let attempt = 1; ; attempt += 1) {
      signal.throwIfAborted();
      const running = await prepared(this.options);
      this.#running.add(running);
      try {
        running.software = await untilItRelays(running, signal);
        // It has read them: from here on the secret and the key are in memory alone.
        for (const file of [configFile, certificateFile, keyFile])
          await rm(join(running.folder, file), { force: true });
        return running;
      } catch (error) {
        await this.#end(running);
        if (attempt < attempts && error instanceof LoadlineError && /in use/i.test(error.why ?? '')) continue;
        throw error;
      }
    }
  }

  async #end(running: RunningCoturn): Promise<void> {
    await running.process.end();
    await removeFolder(running.folder);
    this.#running.delete(running);
  }
}

interface RunningCoturn {
  readonly folder: string;
  readonly process: CoturnProcess;
  readonly log: CoturnLog;
  readonly secrets: TurnSecrets;
  readonly address: TurnAddress;
  readonly publicKeySha256: string | undefined;
  software: string | undefined;
}

async function prepared({ protocol, relayAddress, temporaryRoot }: CoturnRelayOptions): Promise<RunningCoturn> {
  const folder = await turnFolders.make(temporaryRoot);
  try {
    const secret = randomBytes(secretBytes).toString('base64url');
    const [port, relayFrom] = [await freePort(), await relayAddress()];
    const certificate = protocol === 'tls' ? await makeCertificate() : undefined;
    const config = { listenAddress, relayAddress: relayFrom, port, protocol, secret, threads: relayThreads(), folder };
    const files = {
      [configFile]: coturnConfig(config),
      ...(certificate && { [certificateFile]: certificate.certificatePem, [keyFile]: certificate.keyPem }),
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 });
    const log = new CoturnLog();
    return {
      folder,
      log,
      process: startCoturn(join(folder, configFile), (line) => log.line(line)),
      secrets: { kind: 'shared', secret },
      address: { host: listenAddress, port, protocol, url: turnUrl(listenAddress, port, protocol) },
      publicKeySha256: certificate?.publicKeySha256,
      software: undefined,
    };
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}

/** Asks until it gives a relay, or has ended, or is out of time. */
async function untilItRelays({ process, secrets, address }: RunningCoturn, signal: AbortSignal) {
  const endMs = Date.now() + startWithinMs;
  let ended: string | undefined;
  void process.exited.then((how) => {
    ended = how;
  });
  for (;;) {
    const credentials = credentialsFor(secrets, checkUser, Date.now() + 60_000);
    try {
      return await proveTurnServer(address, credentials, answerWithinMs);
    } catch (error) {
      signal.throwIfAborted();
      const why = messageOf(error);
      if (ended !== undefined) throw notStarted(`it ${ended}`, process);
      if (Date.now() > endMs) throw notStarted(`it gave no relay in ${startWithinMs / 1000} s: ${why}`, process);
      await sleep(retryMs);
    }
  }
}

function readingsOf({ process, log }: RunningCoturn): Pick<OpenRelay, 'resources' | 'usage'> {
  let ended = false;
  void process.exited.then(() => {
    ended = true;
  });
  const meter = process.pid === undefined ? undefined : new ProcessMeter(process.pid);
  return {
    resources: async () => ({
      atMs: Date.now(),
      ...(meter ? pick(await meter.read()) : {}),
      allocations: log.open,
    }),
    usage: async (): Promise<TurnUsage> => {
      const endMs = Date.now() + lastUsageMs;
      while (log.open > 0 && !ended && Date.now() < endMs) await sleep(retryMs);
      return log.usage();
    },
  };
}

/** One for each core, as coturn itself would have it. */
function relayThreads(): number {
  return Math.min(128, availableParallelism());
}

/** A port of 127.0.0.1 that is free for UDP and TCP alike. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = await new Promise<number>((resolve, reject) => {
      const server = createServer().once('error', reject);
      server.listen(0, listenAddress, () => {
        const address = server.address();
        server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
      });
    });
    if (await isFreeForUdp(port)) return port;
  }
}

function isFreeForUdp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4').once('error', () => resolve(false));
    socket.bind(port, listenAddress, () => socket.close(() => resolve(true)));
  });
}

function notStarted(why: string, process: CoturnProcess): LoadlineError {
  const said = process.lastWords();
  return new LoadlineError('E_TURN_START', 'coturn does not start.', {
    where: 'turnserver',
    why: said === '' ? why : `${why}; it wrote: ${said}`,
    todo: `run turnserver by hand and see what it lacks, or install it anew: ${coturnInstallCommand}`,
  });
}
