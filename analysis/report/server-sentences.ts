import type { FinishedRun } from '../../model/finished-run.js';
import { closingsTogether } from '../../model/reset-proof.js';
import { those } from '../../model/those.js';
import type { ServerExhaustion } from '../measure/exhaustion.js';
import { memoryGrowth, serverExhaustions, transcodedLegs } from '../measure/server-load.js';
import { numberNear, plural } from '../wording/wording.js';
import { countOf } from './headline.js';

/** What the media server ran out of at the sizes that failed, or that nothing was full; empty where none failed. */
export function ranOutSentences(run: FinishedRun, failedSizes: readonly number[]): string[] {
  if (failedSizes.length === 0) return [];
  const told = exhaustionSentences(run, failedSizes);
  return told.length === 0 ? ['Nothing that was looked at was full.'] : told;
}

export function exhaustionSentences(run: FinishedRun, failedSizes: readonly number[]): string[] {
  return serverExhaustions(run, failedSizes).map((one) => `${exhaustionSentence(run, one)}${heldText(run, one)}`);
}

function exhaustionSentence(run: FinishedRun, exhaustion: ServerExhaustion): string {
  const { what, size, used, limit, dropped = 0 } = exhaustion;
  const at = `at ${countOf(run, size)}`;
  const of = `${used?.toFixed(2)} of the ${numberNear(limit)}`;
  switch (what) {
    case 'cpu':
      return `The server's CPU: ${of} cores it was given were in use ${at}${throttledWords(exhaustion)}.`;
    case 'cpu-quota':
      return quotaSentence(exhaustion, at);
    case 'thread':
      return threadSentence(exhaustion, at);
    case 'memory':
      return `The server's memory: ${numberNear(used ?? 0)} of the ${numberNear(limit)} MB that its control group (cgroup) allows were in use ${at}.`;
    case 'up-link':
      return `The up-link of the server (${numberNear(limit)} Mbit/s) is full: the server sent ${used?.toFixed(2)} Mbit/s ${at}, and ${plural(dropped, 'packet')} were dropped.`;
    case 'host-cpu':
      return hostCpuSentence(exhaustion, at);
    case 'host-memory':
      return `The memory of the server's host: ${numberNear(limit - (used ?? 0))} of its ${numberNear(limit)} MB were left ${at}.`;
    case 'host-link':
      return `The network of the server's host: its fullest device carried ${numberNear(used ?? 0)} % of what it can ${at}.`;
    case 'turn-cpu':
      return `The TURN server's CPU: ${of} cores that it can use were in use ${at}.`;
  }
}

function hostCpuSentence({ used = 0, limit, stolen = 0 }: ServerExhaustion, at: string): string {
  const taken = stolen === 0 ? '' : `, and ${stolen.toFixed(2)} were taken by a hypervisor`;
  return `The CPU of the server's host: ${(used - stolen).toFixed(2)} of the ${numberNear(limit)} cores were in use ${at}${taken}.`;
}

/** That it was full where all held, too, so that something else may be what participants noticed. */
function heldText(run: FinishedRun, { heldFull = null }: ServerExhaustion): string {
  return heldFull === null ? '' : ` It was full from ${countOf(run, heldFull)} on, which held.`;
}

function threadSentence({ name, used = 0, waitedPercent = 0 }: ServerExhaustion, at: string): string {
  const called = name === undefined ? 'One thread' : `The thread "${name}"`;
  return `${called} of the server had no more than its one core: ${used.toFixed(2)} of it were in use ${at}, and it waited for a CPU in ${numberNear(waitedPercent)} % of the time.`;
}

function throttledWords({ throttledPercent }: ServerExhaustion): string {
  return throttledPercent === undefined
    ? ''
    : `, and it was throttled in ${numberNear(throttledPercent)} % of its periods`;
}

/** A server with many threads may use up a period's CPU at its start, and is then throttled below its quota. */
function quotaSentence({ used, limit, throttledPercent = 0 }: ServerExhaustion, at: string): string {
  const cores = `its CPU quota of ${numberNear(limit)} cores was full, throttled in ${numberNear(throttledPercent)} % of its periods`;
  const whole = used === undefined ? '' : `; over the whole window ${used.toFixed(2)} cores were in use`;
  return `The server ${at}: ${cores}${whole}.`;
}

/** What the server itself adds to how far a run can be trusted. */
export function serverSentences(run: FinishedRun): string[] {
  const growth = memoryGrowth(run);
  const transcoded = transcodedLegs(run);
  return those(
    ...cleanlinessSentences(run),
    ...closingSentences(run),
    ...unreadSentences(run),
    growth !== undefined &&
      `Warning: the server keeps memory: ${numberNear(growth.fromMb)} MB after the reset of trial ${growth.fromTrial}, ${numberNear(growth.toMb)} MB after that of trial ${growth.toTrial}. It may leak, and larger sizes may have left more behind.`,
    transcoded !== 0 &&
      `Warning: the server transcoded on ${plural(transcoded, 'leg')} where it should only forward: it carries less that way. Do both ends speak ${run.manifest.plan.media.videoCodec}?`,
  );
}

/** A mean of the seconds in which a full server was read is one of those in which it was less full. */
function unreadSentences({ records }: FinishedRun): string[] {
  const read = records.flatMap(({ index, verdict, load: { serverReadPercent: percent } }) =>
    percent === undefined || verdict.kind === 'void' ? [] : { index, percent },
  );
  const [worst] = read.sort((a, b) => a.percent - b.percent);
  if (!worst) return [];
  const trial = `${numberNear(worst.percent, 100)} % of trial ${worst.index}`;
  return [`Warning: the server's CPU could be read in ${trial} alone: in the rest it may have used more.`];
}

/** What shows that each trial began on a clean server. */
function cleanlinessSentences({ records }: FinishedRun): string[] {
  const proofs = new Set(records.flatMap(({ reset }) => reset?.how ?? []));
  if (proofs.has('not-provable'))
    return [
      'Warning: nothing shows that the server was clean before each trial: what one trial left behind may be in the numbers of the next.',
    ];
  if (proofs.has('idle'))
    return ['That the server was clean before each trial was seen by its CPU and memory alone: it lists no sessions.'];
  if (proofs.has('listed')) return ['Before each trial the server listed its sessions, and none of ours was left.'];
  return [];
}

/** Connections that the server does not end when it is asked to. */
function closingSentences({ records }: FinishedRun): string[] {
  const closed = closingsTogether(records.map(({ reset }) => reset?.byClosing));
  if (!closed) return [];
  const { connections, why, streams, still = 0 } = closed;
  const ended =
    connections === 0
      ? `Warning: the server did not confirm that streams ended: ${why}.`
      : `Warning: ${plural(connections, 'connection was', 'connections were')} ended by closing alone: ${why}.`;
  const seen =
    streams === undefined
      ? 'Nothing shows when the server noticed: it answers a viewer alike whether a stream is there or not.'
      : still === 0
        ? 'Before the next trial no stream answered viewers any more.'
        : `Of ${plural(streams, 'stream')} looked at before the next trial, ${still} still answered viewers: their load may be in its numbers.`;
  return [`${ended} ${seen}`];
}
