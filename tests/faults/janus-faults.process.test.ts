import { test } from '@playwright/test';
import { LoadlineError } from '../../model/errors.js';
import { planSchema } from '../../model/plan.js';
import type { Step } from '../../model/run.js';
import type { RunEvent } from '../../model/run-event.js';
import type { TrialRecord } from '../../model/trial.js';
import type { StartFleet } from '../../probes/fleet.js';
import { onConnections } from '../../scenarios/on-connections.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { JanusServer } from '../../server-setup/janus/janus-server.js';
import { conductRun } from '../../trial/conduct-run.js';
import { long } from '../effort.js';
import { hasJanus, type RealJanus, realJanus } from '../real-janus.js';
import { fastClock, negotiatingFleets } from '../real-signalling.js';
import { aMemorySink, aSimulatedRun } from '../simulated-run.js';
import { soon } from '../soon.js';
import { record } from './fault-table.js';
import {
  type EndedRun,
  type JanusCase,
  type JanusFault,
  type JanusRun,
  janusFaults,
  janusSecrets,
} from './janus-rows.js';
import { heldBy } from './janus-surroundings.js';

/** `npm run faults` takes all of them; CI those that are no `long` ones. */
const all = process.env.LOADLINE_ALL_FAULTS === '1';
/**
 * The Janus answers in its own time, which counts so many times in the bounds of the tool: a reset then has 6 s of it.
 */
const speed = 10;
/** To join, 4 s of it. */
const patience = { joinMsMax: 40_000, firstFrameP95MsMax: 40_000 };

test.describe('whatever befalls a run on a real Janus, its record says so by name, and nothing is left on either side', () => {
  for (const fault of janusFaults) {
    for (const one of fault.cases) {
      test(one.name === '' ? fault.title : `${fault.title}: ${one.name}`, one.slow ? long : {}, async () => {
        test.skip(!(await hasJanus()), 'no janus is installed (apt-get install janus)');
        test.skip(one.long === true && !all, 'part of `npm run faults` alone');
        test.setTimeout(60_000);
        await befall(fault, one);
      });
    }
  }
});

async function befall(fault: JanusFault, one: JanusCase): Promise<void> {
  record(fault, one.name, undefined);
  const secrets = { apiSecret: janusSecrets.api, adminSecret: janusSecrets.admin };
  const janus = await realJanus({ ...secrets, ...one.setting });
  try {
    const sockets = openSockets();
    const run = await one.run(janus);
    const ended = await conducted(janus, run).finally(() => run.close?.());
    await soon(openSockets).toBe(sockets);
    const said = one.said(ended);
    // Without its plugin nobody can make a room.
    if (one.setting?.without?.some((file) => file.includes('videoroom')) !== true)
      await soon(() => heldBy(janus, janusSecrets)).toEqual({ rooms: 0, sessions: 0 });
    record(fault, one.name, said);
  } finally {
    await janus.close();
  }
}

async function conducted(janus: RealJanus, run: JanusRun): Promise<EndedRun> {
  const { url = janus.url, scenario = oneToOne, trials = 1, secrets = janusSecrets } = run;
  const clock = fastClock(speed);
  const records: TrialRecord[] = [];
  const sink = {
    ...aMemorySink(),
    writeTrial: async (one: TrialRecord) => {
      records.push(one);
      if (records.length < trials) await run.betweenTrials?.();
    },
  };
  const { adminUrl } = janus;
  const plan = planSchema.parse({
    scenario: scenario.name,
    server: { kind: 'janus' },
    thresholds: patience,
    timing: { pacePerSecond: 10, settleMs: 4000, measureMs: 10_000, earlyStop: false, warmUp: false },
  });
  const step = (history: readonly unknown[]): Step =>
    history.length < trials
      ? { kind: 'try', size: 1, why: 'fixed', text: 'again' }
      : { kind: 'done', answer: { outcome: 'found', stable: 1, unstable: null, flaky: [], because: 'done' } };
  const parts = {
    ...aSimulatedRun().parts,
    server: new JanusServer({ url, adminUrl, secrets, maxVideoKbps: 500, videoCodec: 'vp8' }),
    clock,
    sinks: [sink],
    startFleet: joiningAfter(negotiatingFleets(clock), run),
    listener: (event: RunEvent) => {
      if (event.type === 'phase' && event.phase === 'measure') void run.measuring?.();
    },
  };
  try {
    await conductRun({ plan, scenario: onConnections(scenario, 'one') }, step, parts, new AbortController().signal);
    return { records };
  } catch (error) {
    if (error instanceof LoadlineError) return { error, records };
    throw error;
  }
}

/** The room of a session is made when the first of its participants begins. */
function joiningAfter(startFleet: StartFleet, run: JanusRun): StartFleet {
  return (options, listener) => {
    const fleet = startFleet(options, listener);
    const join: typeof fleet.join = (participants, given) =>
      fleet.join(participants, {
        ...given,
        begin: async (request) => {
          const first = await given.begin?.(request);
          await run.joining?.();
          return first ?? { by: 'probe' };
        },
      });
    return { ...fleet, join };
  };
}

const openSockets = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
