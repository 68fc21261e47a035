import { given } from '../model/given.js';
import type { NetworkFacts } from '../model/network-record.js';
import type { Plan } from '../model/plan.js';
import type { Manifest, ServerFacts } from '../model/run.js';
import type { Scenario } from '../model/scenario.js';
import { wordsWithoutSecrets } from '../model/secrets.js';
import type { TurnFacts } from '../model/turn.js';
import type { Parts } from './parts.js';
import { type ResumedRun, storedPlan } from './resumed-run.js';

/** What was found when the parts of a run were started. */
export interface FoundFacts {
  readonly server: ServerFacts;
  readonly turn: TurnFacts | undefined;
  readonly networks: NetworkFacts | undefined;
}

interface BegunRun {
  readonly plan: Plan;
  readonly scenario: Scenario;
  readonly parts: Parts;
  readonly facts: FoundFacts;
  readonly resumed: ResumedRun | undefined;
}

/** What is written at the start of a run. */
export function manifestOf({ plan, scenario, parts, facts, resumed }: BegunRun): Manifest {
  return {
    format: 2,
    loadline: parts.loadlineVersion,
    startedAt: new Date(parts.clock.nowMs()).toISOString(),
    command: wordsWithoutSecrets(parts.command),
    ...parts.labels,
    plan: storedPlan(plan),
    server: facts.server,
    ...given({ turn: facts.turn, networks: facts.networks }),
    host: parts.host,
    chromium: parts.chromium,
    unit: scenario.unit,
    ...copiesOf(parts),
    // What a resumed run was begun with stands. Its plan may have got another budget. What was found of server and host
    // since, such as a calibration, is what trials are judged by.
    ...(resumed
      ? { ...resumed.manifest, plan: storedPlan(plan), server: facts.server, host: parts.host, ...resumesOf(resumed) }
      : {}),
  };
}

function resumesOf({ manifest: { resumedAfter = [] }, records }: ResumedRun): Pick<Manifest, 'resumedAfter'> {
  return { resumedAfter: [...resumedAfter, records.length] };
}

/** Where the points of the run go beside its folder. */
function copiesOf({ sinks }: Parts): Pick<Manifest, 'copies'> {
  const copies = sinks.filter((sink) => sink.isCopy).map(({ description }) => description);
  return copies.length === 0 ? {} : { copies };
}

/** The same, with no window ended before its time. */
export function wholeWindows(manifest: Manifest): Manifest {
  const { plan } = manifest;
  return { ...manifest, plan: { ...plan, timing: { ...plan.timing, earlyStop: false } } };
}
