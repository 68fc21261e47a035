import { LoadlineError } from '../../model/errors.js';
import { firstServer, isSimulated } from '../../model/plan.js';
import { type MediaKind, participantsOf } from '../../model/scenario.js';
import type { VisitExpectation, VisitPlan } from '../../model/visit.js';
import { ownTransform } from '../../model/visited-page.js';
import type { Visitor } from '../../probes/visit/address.js';
import { countOf, flowing, lookAtSession, type Seen } from '../../probes/visit/look.js';
import type { VisitOrder } from '../../probes/visit/visit-order.js';
import { scenarioOf } from '../../scenarios/index.js';
import { changingWords } from '../live/seen-lines.js';
import type { RunRequest } from '../options/run-request.js';
import type { ToolProcess } from '../process.js';
import { ensureChromium, type FoundChromium } from './chromium.js';
import { usableCache } from './folders.js';
import { unlessStopped } from './stop-request.js';
import { endingWhenStuck } from './stuck-script.js';

const kinds: readonly MediaKind[] = ['audio', 'video'];

/** How a plan's app is visited; undefined without one. A join script that never gives way ends the process. */
export function visitOrderOf(
  { plan: { players, server }, app }: Pick<RunRequest, 'plan' | 'app'>,
  tool: ToolProcess,
  stuck: 'E_JOIN_SCRIPT' | 'E_JOIN_SCRIPT_STUCK',
): VisitOrder | undefined {
  const { env } = tool;
  if (players.kind !== 'visiting' || isSimulated(server)) return undefined;
  const { kind: _, ...visit } = players;
  return {
    ...visit,
    ...app,
    url: firstServer(server).url ?? '',
    env,
    ending: endingWhenStuck(tool, stuck),
  };
}

/** The request once the app was looked at; undefined if somebody stopped it. Rejects with E_VISIT, E_JOIN_SCRIPT. */
export async function afterLook<Request extends RunRequest>(
  request: Request,
  tool: ToolProcess,
): Promise<Request | undefined> {
  return unlessStopped(tool, undefined, async (signal) => {
    const chromium = await ensureChromium(tool, request.chromium);
    return { ...request, ...(await expected(request, tool, chromium, signal)) };
  });
}

/**
 * Before the first trial of an app, one room of it is looked at: what flows to each role there is what must arrive in
 * each trial. Throws E_VISIT when not everybody joins, or what is expected is not there.
 */
export async function expected(
  request: Pick<RunRequest, 'plan' | 'scenario' | 'app'>,
  tool: ToolProcess,
  chromium: Pick<FoundChromium, 'path'>,
  signal: AbortSignal,
): Promise<Pick<RunRequest, 'plan' | 'scenario'>> {
  const { plan, scenario } = request;
  const order = visitOrderOf(request, tool, 'E_JOIN_SCRIPT');
  if (!order || plan.players.kind !== 'visiting') return { plan, scenario };
  const [room] = scenario.sessions(scenario.baselineSize);
  const members = participantsOf(room ? [room] : []);
  tool.stderr.write(
    `Looking at one room of ${members.length} first: what arrives there is what must arrive in each trial.\n`,
  );
  const seen = await lookAtSession({
    order,
    visitors: members.map(({ id, role, session }, index): Visitor => ({ session, participant: id, role, index })),
    chromiumPath: chromium.path,
    cacheFolder: await usableCache(tool),
    media: plan.media,
    deadlineMs: plan.thresholds.joinMsMax,
    pauseMs: 1000 / plan.timing.pacePerSecond,
    signal,
  });
  for (const one of seen) if (one.failure) throw notVisited(one, order.url);
  const isOwn = seen.some(({ unspared }) => unspared.includes(ownTransform));
  if (isOwn) throw transformed(order.url);
  const expect = expectationsOf(seen, plan.players);
  const warnings = changingWords(seen).map((text) => `  ! ${text}`);
  tool.stderr.write(`${[...expect.map(inWords), ...warnings].join('\n')}\n`);
  const { stillChanges: _, ...players } = plan.players;
  const looked = { ...players, expect, ...(warnings.length > 0 ? { stillChanges: true } : {}) };
  const visited = { ...plan, players: looked };
  return { plan: visited, scenario: scenarioOf(visited) ?? scenario };
}

/** Of each role, what all of its members had: who had more had it by chance. */
function expectationsOf(seen: readonly Seen[], { atLeast }: VisitPlan): readonly VisitExpectation[] {
  const roles = [...new Set(seen.map(({ visitor }) => visitor.role))];
  return roles.map((role) => {
    const members = seen.filter(({ visitor }) => visitor.role === role);
    const fewest = (direction: 'send' | 'receive', kind: MediaKind): number =>
      Math.min(...members.map((one) => countOf(flowing(one, direction), kind)));
    const received = (kind: MediaKind): number => {
      const arrives = fewest('receive', kind);
      const least = atLeast?.[kind];
      if (least !== undefined && least > arrives) throw tooFew(role, kind, least, arrives);
      return least ?? arrives;
    };
    const expected = { role, sends: kinds.filter((kind) => fewest('send', kind) > 0) };
    const connections = Math.max(...members.map((one) => one.connections.length));
    const all = { ...expected, audio: received('audio'), video: received('video'), connections };
    if (all.sends.length + all.audio + all.video === 0) throw nothingFlows(role);
    return all;
  });
}

function inWords({ role, sends, audio, video, connections = 1 }: VisitExpectation): string {
  const sent = sends.length === 0 ? 'nothing' : sends.join(' and ');
  const over = connections > 1 ? `, over ${connections} connections` : '';
  return `  ${role}: sends ${sent}, receives ${video} video and ${audio} audio${over}`;
}

function notVisited({ visitor, failure }: Seen, url: string): LoadlineError {
  const code = failure?.code === 'join-script' ? 'E_JOIN_SCRIPT' : 'E_VISIT';
  const console = failure?.kept.texts.map(({ text }) => text.split('\n').slice(-5).join('\n')).join('\n') ?? '';
  return new LoadlineError(code, `${visitor.participant} cannot join: ${failure?.detail ?? 'nobody knows why'}.`, {
    where: `--url ${url}`,
    why: console === '' ? undefined : `the page said last:\n${console}`,
    todo: 'try it with loadline visit --screenshot seen.jpg, which shows what one participant sees',
  });
}

function transformed(url: string): LoadlineError {
  return new LoadlineError('E_VISIT', 'The app transforms encoded media itself, as for end-to-end encryption.', {
    where: `--url ${url}, --media encoded`,
    why: 'decoding is left out by the same means, and only one of the two can have them',
    todo: 'leave --media encoded out, or switch that off in the app',
  });
}

function tooFew(role: string, kind: MediaKind, least: number, seen: number): LoadlineError {
  return new LoadlineError('E_VISIT', `One room alone shows fewer ${kind} streams than are expected.`, {
    where: `--expect "${kind} >= ${least}"`,
    why: `at each ${role} ${seen} arrive`,
    todo: 'correct --expect or --room-size, or leave --expect out: what one room shows is then expected',
  });
}

function nothingFlows(role: string): LoadlineError {
  return new LoadlineError('E_VISIT', `No media flows at a ${role} of one room alone.`, {
    where: '--url, --join',
    why: 'the page was opened and the script has returned, and no RTCPeerConnection of it carries anything',
    todo: 'have the script click what joins, and look with loadline visit --screenshot seen.jpg',
  });
}
