import { LoadlineError } from '../model/errors.js';
import { givenTo } from '../model/given-to.js';
import { shortText } from '../model/plain-text.js';
import type { Plan } from '../model/plan.js';
import type { HostFacts, Manifest, ServerFacts } from '../model/run.js';
import { redactedCopy, withoutSecrets } from '../model/secrets.js';
import type { TrialRecord } from '../model/trial.js';
import type { TurnFacts } from '../model/turn.js';

/** A stored run that goes on: what it was, and its trials. */
export interface ResumedRun {
  readonly manifest: Manifest;
  readonly records: readonly TrialRecord[];
}

interface Environment {
  readonly loadline: string;
  readonly server: ServerFacts;
  readonly turn?: TurnFacts | undefined;
  readonly host: HostFacts;
  readonly chromium: Manifest['chromium'];
}

/** Trials of two environments do not make one limit. Throws E_RESUME, which names what has changed. */
export function assertSameEnvironment({ manifest: before }: ResumedRun, now: Environment): void {
  const [had, has] = [givenTo(before.server), givenTo(now.server)];
  const compared: readonly (readonly [string, string | number | boolean, string | number | boolean])[] = [
    // Two builds do not measure alike, and native probes run in Node.
    ['Loadline', before.loadline, now.loadline],
    ['Node', before.host.node, now.host.node],
    ['server', before.server.name, now.server.name],
    ['server version', before.server.version, now.server.version],
    ['server on this host', before.server.sameHost, now.server.sameHost],
    ['cores of the server', had.cores ?? 'all', has.cores ?? 'all'],
    ['MB of the server', had.memoryMb ?? 'all', has.memoryMb ?? 'all'],
    ['bit/s that the server may send', had.upLinkBps ?? 'any', has.upLinkBps ?? 'any'],
    ['TURN server', before.turn?.name ?? 'none', now.turn?.name ?? 'none'],
    ['cores', before.host.cores, now.host.cores],
    ['processor', before.host.cpuModel, now.host.cpuModel],
    ['kernel', before.host.kernel, now.host.kernel],
    ['Chromium', before.chromium.version, now.chromium.version],
  ];
  const changed = compared.filter(([, was, is]) => was !== is);
  if (changed.length === 0) return;
  throw new LoadlineError('E_RESUME', 'The run cannot go on here: its surroundings are others now.', {
    where: '--resume',
    why: changed.map(([what, was, is]) => `${what}: was ${was}, is ${is}`).join('; '),
    todo: 'resume it where it was begun, or start a new run',
  });
}

const factCharacters = 200;

/** What a server says of itself is shown and stored, and its address may hold a login. */
export function shownFacts(facts: ServerFacts): ServerFacts {
  const { name, version, url } = facts;
  return {
    ...facts,
    name: shortText(name, factCharacters),
    version: shortText(version, factCharacters),
    url: withoutSecrets(url),
  };
}

/** A restart command and the address of a server may hold a login, and a run is shown to others. */
export function storedPlan(plan: Plan): Plan {
  return { ...plan, server: redactedCopy(plan.server) };
}
