import { playedShares } from '../../analysis/needs/hosts-need.js';
import { LoadlineError } from '../../model/errors.js';
import type { FinishedRun, Requirement } from '../../model/finished-run.js';
import { firstServer, isSimulated } from '../../model/plan.js';
import { hasBrowsers } from '../../model/players.js';
import type { Answer, Manifest, RunResult } from '../../model/run.js';
import type { RunEvent } from '../../model/run-event.js';
import type { TrialRecord } from '../../model/trial.js';
import { serverKinds } from '../../server-setup/kinds.js';
import { isElsewhere } from '../../server-setup/server-kind.js';
import type { Parts } from '../../trial/parts.js';
import { interruptedCode } from '../exit-codes.js';
import { openScreen, quietScreen } from '../live/screen.js';
import { plainEnding } from '../options/ending-flags.js';
import type { RunRequest } from '../options/run-request.js';
import type { ToolProcess } from '../process.js';
import { answerText, endWith } from '../report/end-with.js';
import { wordsAgain } from '../wiring/given-again.js';
import { discardUnused, leaveRun } from '../wiring/run-parts.js';
import { listenForStop } from '../wiring/stop-request.js';
import type { Watcher } from '../wiring/wiring.js';

export interface Conducted {
  readonly result: RunResult;
  readonly exitCode: number;
  /** What became of `--require`: it belongs to the answer and is not part of the stored run. */
  readonly required?: Requirement | undefined;
}

/**
 * What `find` and `try` have in common: a Chromium, a folder for the run, the live view on stderr, Ctrl-C, and at the
 * end the answer on stdout. Resolves with the exit code.
 */
export async function conduct(
  request: RunRequest,
  tool: ToolProcess,
  work: (parts: Parts, signal: AbortSignal) => Promise<Conducted>,
): Promise<number> {
  const { makeParts, close } = await preparedWiring(request, tool);
  const { ending = plainEnding } = request;
  const screen = ending.quiet ? quietScreen(tool.stderr) : openScreen(tool.stderr, tool.env, request);
  const stop = listenForStop(tool, (text) => screen.say(text), interruptedCode);
  const seen = remember();
  const listener = (event: RunEvent) => {
    seen.listener(event);
    screen.listener(event);
  };
  const parts = await makeParts({ listener, say: (text) => screen.say(text) }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  try {
    const { result, exitCode, required } = await work(parts, stop.signal);
    screen.close();
    const run = seen.run(result.runDirectory);
    if (request.format === 'json') tool.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    else if (run) tool.stdout.write(answerText(run, ending, tool));
    if (required) (request.format === 'json' ? tool.stderr : tool.stdout).write(`  ${required.text}\n`);
    if (run) await endWith(run, ending, tool, required);
    return stop.signal.aborted ? interruptedCode : exitCode;
  } catch (error) {
    // Interrupted while the media server was starting: there is nothing to keep and nothing to explain.
    if (stop.signal.aborted && !seen.hasStarted()) return interruptedCode;
    throw error;
  } finally {
    screen.close();
    await close();
    stop.close();
    if (seen.hasStarted()) for (const sink of parts.sinks) tool.stderr.write(sink.account ? `${sink.account()}\n` : '');
    if (!seen.hasStarted() && !request.resumed) await discardUnused(parts.runDirectory);
    await leaveRun(parts.runDirectory);
  }
}

/**
 * What must be seen before a request is whole: what a web app shows when one room is alone in it. Undefined when
 * somebody stopped that; then nothing is stored.
 */
export async function whole<Request extends RunRequest>(
  request: Request,
  tool: ToolProcess,
): Promise<Request | undefined> {
  const { players } = request.plan;
  if (players.kind !== 'visiting') return request;
  const { visitable } = await import('../wiring/visit-preflight.js');
  const found = await visitable(request, tool);
  if (!found) return request;
  const ready = { ...found.request, app: found.app };
  if (players.expect) return ready;
  const { afterLook } = await import('../wiring/visited-room.js');
  return afterLook(ready, tool);
}

interface PreparedWiring {
  readonly makeParts: (watcher: Watcher) => Promise<Parts>;
  /** Lets go of what outlives the parts. */
  readonly close: () => Promise<void>;
}

/** Where no browser takes part. */
const noChromium = { path: 'none', version: 'none' };
const nothingHeld = async () => undefined;

/** Finds what the run needs before its folder is made. Throws E_CHROMIUM_MISSING, E_CHROMIUM_START, E_HOSTS. */
async function preparedWiring(request: RunRequest, tool: ToolProcess): Promise<PreparedWiring> {
  const { kind } = request;
  const { server: asked } = request.plan;
  // Loaded late: bad input and simulated runs must not wait for a browser driver and a media server's client.
  if (isSimulated(asked)) {
    const { wireSimulated } = await import('../wiring/simulated-wiring.js');
    return { makeParts: ({ listener }) => wireSimulated(request, asked, tool, listener), close: nothingHeld };
  }
  const server = firstServer(asked);
  const { removeLeftovers } = await import('../wiring/leftovers.js');
  await removeLeftovers(tool);
  if (!kind) throw new LoadlineError('E_INTERNAL', `Nobody knows what kind of server "${server.kind}" is.`);
  const { prepareServer } = await import('../wiring/prepare-server.js');
  await prepareServer(request, tool);
  const { ensureNetworks } = await import('../networks/networks-part.js');
  await ensureNetworks(request.plan, await isElsewhere(kind, server), tool);
  const { ensureTurn } = await import('../wiring/turn.js');
  await ensureTurn(request.plan, tool);
  const { ensureVmaf } = await import('../wiring/vmaf.js');
  await ensureVmaf(request.plan, tool);
  const { wire } = await import('../wiring/wiring.js');
  const { hosts: elsewhere } = request.plan;
  if (!elsewhere) {
    const { ensureChromium } = await import('../wiring/chromium.js');
    const chromium = !hasBrowsers(request.plan.players) ? noChromium : await ensureChromium(tool, request.chromium);
    return { makeParts: (watcher) => wire(request, { kind, server, chromium }, tool, watcher), close: nothingHeld };
  }
  const { openHosts } = await import('../hosts/open-hosts.js');
  const { serverReach } = await import('../hosts/own-networks.js');
  const hosts = await openHosts(
    {
      ...elsewhere,
      bus: request.bus,
      chromium: request.chromium,
      probes: playedShares(request.plan, request.scenario),
      question: request,
      server: await serverReach(kind, server),
    },
    tool,
  );
  return {
    makeParts: (watcher) => {
      tool.stderr.write(`${hosts.found}\n`);
      return wire(request, { kind, server, chromium: hosts.chromium, hosts }, tool, watcher);
    },
    close: hosts.close,
  };
}

/** The summary is made of what the run told, as any stored run's would be. */
function remember() {
  let manifest: Manifest | undefined;
  let ended: { readonly answer: Answer } | undefined;
  const records: TrialRecord[] = [];
  return {
    listener(event: RunEvent): void {
      if (event.type === 'run-started') {
        manifest = event.manifest;
        records.push(...(event.past ?? []));
      }
      if (event.type === 'trial-ended') records.push(event.record);
      if (event.type === 'run-ended') ended = event;
    },
    hasStarted: () => manifest !== undefined,
    run(runDirectory: string): FinishedRun | undefined {
      if (!manifest || !ended) return undefined;
      const givenAgain = wordsAgain(manifest.plan, serverKinds);
      return { manifest, records, answer: ended.answer, runDirectory, givenAgain };
    },
  };
}
