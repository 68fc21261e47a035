import { spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { saidBy } from '../../../host/child-processes.js';
import { given } from '../../../model/given.js';
import { jsonIn } from '../../../model/json-text.js';
import type { Link } from '../../../model/network.js';
import { type LinkMeasure, linkMeasureSchema, type NetworkCheck } from '../../../model/network-record.js';
import { linkError } from '../run-command.js';
import { checkPlan, checkTimes } from './check-plan.js';
import { differences } from './compare.js';
import { measureLink } from './link-end.js';

/** What it may take to start this tool inside the network, and to hear that it has ended. */
const startMs = 8000;
const receiveBufferBytes = 1_000_000;
const mostOutput = 100_000;

interface CheckRequest {
  readonly network: string;
  readonly set: { readonly up: Link; readonly down: Link };
  /** Words that start a program inside the network. */
  readonly inside: readonly string[];
  /** The tool itself: it is the other end. */
  readonly selfCommand: readonly string[];
  /** Of the link, on the server's side. */
  readonly hostAddress: string;
  readonly signal: AbortSignal;
}

/** Measures a link from inside the network to the server's side. Rejects with E_NETWORK_LINK if an end fails. */
export async function checkNetwork(request: CheckRequest): Promise<NetworkCheck> {
  const { network, set, hostAddress } = request;
  const plan = checkPlan(set.up, set.down);
  const late = AbortSignal.timeout(Math.ceil(startMs + checkTimes(plan).endMs + startMs));
  const ended = new AbortController();
  const signal = AbortSignal.any([request.signal, late, ended.signal]);
  const socket = await boundSocket(hostAddress);
  const farEnd = runFarEnd(request, socket.address().port, JSON.stringify(plan), signal);
  try {
    // When one end fails, the other waits for nothing.
    const up = measureLink([socket], plan, { sends: 'down' }, signal);
    const [measuredUp, measuredDown] = await Promise.all([up, farEnd]);
    const measured = { up: measuredUp, down: measuredDown };
    const [upMs, downMs] = [measuredUp.delayMs, measuredDown.delayMs];
    const roundTripMs = upMs === undefined || downMs === undefined ? undefined : upMs + downMs;
    return given({ network, set, measured, roundTripMs, problems: problemsOf(network, set, measured) });
  } catch (error) {
    request.signal.throwIfAborted();
    if (late.aborted) throw linkError(network, 'nothing came through the link in time');
    throw error;
  } finally {
    ended.abort(new Error('the check has ended'));
    await farEnd.catch(() => undefined);
    socket.close();
  }
}

function problemsOf(network: string, set: NetworkCheck['set'], measured: NetworkCheck['measured']): string[] {
  return (['up', 'down'] as const).flatMap((way) =>
    differences(set[way], measured[way]).map((difference) => `${network}, ${way}: ${difference}.`),
  );
}

async function boundSocket(address: string): Promise<Socket> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: receiveBufferBytes });
  socket.bind(0, address);
  await Promise.race([once(socket, 'listening'), once(socket, 'error').then(([error]) => Promise.reject(error))]);
  return socket;
}

/** The end inside the network is this tool again; it prints what it measured. */
function runFarEnd(
  { inside, selfCommand, hostAddress, network }: CheckRequest,
  port: number,
  plan: string,
  signal: AbortSignal,
): Promise<LinkMeasure> {
  const [program = '', ...args] = [...inside, ...selfCommand, 'link-end', hostAddress, String(port), plan];
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const [stdout, stderr] = [saidBy(child.stdout, mostOutput), saidBy(child.stderr, mostOutput)];
    child.stdin.on('error', () => undefined);
    const stop = (): void => void child.kill('SIGKILL');
    signal.addEventListener('abort', stop, { once: true });
    child.on('error', (error) => reject(linkError(program, error.message)));
    child.on('close', (code) => {
      signal.removeEventListener('abort', stop);
      const measured = code === 0 ? linkMeasureSchema.safeParse(jsonIn(stdout())) : undefined;
      if (measured?.success) resolve(measured.data);
      else
        reject(
          signal.aborted ? signal.reason : linkError(`the end inside ${network}`, stderr() || `it ended with ${code}`),
        );
    });
  });
}
