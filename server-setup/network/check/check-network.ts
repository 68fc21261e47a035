import { spawn } from 'node:child_process';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { saidBy } from '../../../host/child-processes.js';
import { given } from '../../../model/given.js';
import { jsonIn } from '../../../model/json-text.js';
import { type Link, lossPercentOf } from '../../../model/network.js';
import { type LinkMeasure, linkMeasureSchema, type NetworkCheck } from '../../../model/network-record.js';
import { linkError } from '../run-command.js';
import { checkPlan, checkTimes } from './check-plan.js';
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

const delayTolerance = 0.1;
/** How far delays may be off because packets pass the box, on a host that is not idle. */
const ownDelayMs = 3;
const lossTolerancePoints = 0.7;
const sigmas = 4;
const jitterTolerance = 0.3;
const ownJitterMs = 2.5;
const rateTolerance = 0.1;
/** The interquartile range of a normal spread, in standard deviations. */
const normalQuartiles = 1.349;

/** What of a link is further from what was set than chance and a working host allow; a sentence part each. */
export function differences(link: Link, measured: LinkMeasure): string[] {
  if (measured.delayMs === undefined) return ['nothing came through'];
  return [delayDifference, jitterDifference, lossDifference, duplicateDifference, rateDifference].flatMap(
    (difference) => difference(link, measured) ?? [],
  );
}

function delayDifference({ delayMs = 0, jitterMs = 0, rateBps }: Link, measured: LinkMeasure): string | undefined {
  const { delayMs: found = 0 } = measured;
  // With a rate netem keeps the order, and what jitter has made late makes all behind it late.
  const ordered = rateBps === undefined ? 0 : jitterMs;
  const transmission = rateBps === undefined ? 0 : (1000 * 8 * 100) / rateBps;
  const least = delayMs * (1 - delayTolerance) - 0.5;
  const most = delayMs * (1 + delayTolerance) + ownDelayMs + ordered + transmission;
  if (found >= least && found <= most) return undefined;
  return `the delay is ${figure(found)} ms, ${figure(delayMs)} ms were set`;
}

function jitterDifference(link: Link, { jitterMs: found = 0 }: LinkMeasure): string | undefined {
  const { jitterMs = 0, distribution = 'uniform', rateBps, reorderPercent = 0 } = link;
  const known = distribution === 'uniform' || distribution === 'normal';
  const expected = distribution === 'normal' ? normalQuartiles * jitterMs : jitterMs;
  const most = expected * (1 + jitterTolerance) + ownJitterMs;
  const least = rateBps === undefined && known ? expected * (1 - jitterTolerance) - 0.5 : 0;
  if (!known || reorderPercent > 20 || (found <= most && found >= least)) return undefined;
  return `the jitter is ${figure(found)} ms, ${figure(jitterMs)} ms were set`;
}

function lossDifference(link: Link, { sent, lossPercent: found }: LinkMeasure): string | undefined {
  const expected = lossPercentOf(link);
  const correlated = link.loss?.kind === 'random' && (link.loss.correlationPercent ?? 0) > 0;
  // Netem's correlated chance is not evenly spread (tc-netem(8), "Limitations"): it loses less than it is told.
  const least = correlated ? 0 : expected - tolerance(expected, sent, burstFactor(link));
  const most = expected + tolerance(expected, sent, burstFactor(link));
  if (found >= least && found <= most) return undefined;
  return `the loss is ${figure(found)} %, ${figure(expected)} % were set`;
}

/** Losses that come together spread their count: by this much more variance than single ones. */
function burstFactor({ loss }: Link): number {
  if (loss?.kind === 'random' && loss.correlationPercent)
    return (100 + loss.correlationPercent) / (100.001 - loss.correlationPercent);
  if (loss?.kind !== 'bursts') return 1;
  const memory = 1 - (loss.enterPercent + loss.leavePercent) / 100;
  return memory <= 0 ? 1 : (1 + memory) / (1.00001 - memory);
}

function duplicateDifference({ duplicatePercent = 0, duplicateCorrelationPercent }: Link, measured: LinkMeasure) {
  const { sent, duplicatePercent: found } = measured;
  const off = Math.abs(found - duplicatePercent);
  if (duplicateCorrelationPercent || off <= tolerance(duplicatePercent, sent, 1)) return undefined;
  return `${figure(found)} % are duplicates, ${figure(duplicatePercent)} % were set`;
}

function rateDifference({ rateBps }: Link, { rateBps: found }: LinkMeasure): string | undefined {
  if (rateBps === undefined || found === undefined || Math.abs(found - rateBps) <= rateTolerance * rateBps)
    return undefined;
  return `the rate is ${figure(found / 1000)} kbit/s, ${figure(rateBps / 1000)} kbit/s were set`;
}

/** In points: what was agreed, or four standard deviations of the count where it is too small for that. */
function tolerance(percent: number, count: number, factor: number): number {
  const share = Math.max(percent, 0.01) / 100;
  const sigma = 100 * Math.sqrt((share * (1 - share) * factor) / Math.max(1, count));
  return Math.max(lossTolerancePoints, sigmas * sigma);
}

function figure(value: number): string {
  return String(Number(value.toFixed(value >= 100 ? 0 : 2)));
}
