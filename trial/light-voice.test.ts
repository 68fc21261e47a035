import { expect, test } from '@playwright/test';
import { trustSentences } from '../analysis/report/trust-section.js';
import { type Plan, planSchema } from '../model/plan.js';
import type { RunEvent } from '../model/run-event.js';
import type { Sample } from '../model/sample.js';
import type { Scenario } from '../model/scenario.js';
import type { TrialRecord } from '../model/trial.js';
import type { FleetOptions } from '../probes/fleet.js';
import { agentRoom } from '../scenarios/agent-room.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { voiceAgent } from '../scenarios/voice-agent.js';
import { serverKinds } from '../server-setup/kinds.js';
import { aPlan, aSimulatedRun } from '../tests/simulated-run.js';
import { tryOnce } from './find-limit.js';
import type { Parts } from './parts.js';
import { SentVoice } from './sent-voice.js';

interface VoiceCase {
  /** Which of the voices the server packs anew. Absent: none. */
  readonly repacks?: (options: FleetOptions) => boolean;
  readonly passesPayloads?: boolean;
  readonly warmUp?: boolean;
}

interface Ran {
  /** What the fleets were asked to send, one after the other. */
  readonly voices: readonly string[];
  readonly records: readonly TrialRecord[];
  readonly events: readonly RunEvent[];
  readonly outcome: string;
  readonly trust: readonly string[];
}

const isLight = ({ lightVoice }: FleetOptions): boolean => lightVoice === true;
const always = (): boolean => true;

/** Of each packet of sound two, one of which is thrown away, and nothing is played. */
function repacked(sample: Sample): Sample {
  const streams = sample.streams.map((stream) => {
    if (stream.direction === 'send' || stream.kind === 'video') return stream;
    const packetsReceived = 2 * (stream.metrics.packetsReceived ?? 0);
    const broken = { packetsReceived, packetsDiscarded: packetsReceived / 2, totalSamples: 0, concealedSamples: 0 };
    return { ...stream, metrics: { ...stream.metrics, ...broken } };
  });
  return { ...sample, streams };
}

async function run({ repacks = () => false, passesPayloads = true, warmUp = true }: VoiceCase): Promise<Ran> {
  const { parts, events } = aSimulatedRun({ capacity: 4 });
  const voices: string[] = [];
  const { server, startFleet } = parts;
  const told: typeof server = {
    start: async (signal) => {
      const facts = await server.start(signal);
      return { ...facts, abilities: { ...facts.abilities, ...(passesPayloads ? { passesPayloads } : {}) } };
    },
    openSession: (session, signal) => server.openSession(session, signal),
    reset: (signal, how) => server.reset(signal, how),
    stop: () => server.stop(),
    onEvent: (listener) => server.onEvent(listener),
  };
  const wrapped: Parts = {
    ...parts,
    server: told,
    startFleet: (options, listener) => {
      voices.push(isLight(options) ? 'light' : 'ordinary');
      const onSamples = (samples: readonly Sample[]) =>
        listener.onSamples(repacks(options) ? samples.map(repacked) : samples);
      return startFleet(options, { onSamples, onEvent: (event) => listener.onEvent(event) });
    },
  };
  const plan: Plan = planSchema.parse({
    ...aPlan({}, { measureMs: 6000, settleMs: 12_000, warmUp }),
    players: { kind: 'encoded', fullShare: 0 },
  });
  const result = await tryOnce({ plan, scenario: oneToOne }, 2, wrapped, new AbortController().signal);
  const records = events.flatMap((event) => (event.type === 'trial-ended' ? [event.record] : []));
  const [started] = events;
  if (started?.type !== 'run-started') throw new Error('a run that did not start');
  const ended = events.at(-1);
  if (ended?.type !== 'run-ended') throw new Error('a run that did not end');
  const trust = trustSentences({ manifest: started.manifest, records, answer: ended.answer, runDirectory: '' });
  return { voices, records, events, outcome: result.outcome, trust };
}

const verdicts = ({ records }: Ran) => records.map(({ verdict, voice }) => [verdict.kind, voice]);
const said = ({ events }: Ran) =>
  events.flatMap((one) => (one.type === 'trial-event' && one.event.type === 'warning' ? [one.event.text] : []));

test('the light voice goes only to a server that is known to pass payloads', async () => {
  const [light, ordinary] = await Promise.all([run({}), run({ passesPayloads: false })]);
  expect(new Set(light.voices)).toEqual(new Set(['light']));
  expect(new Set(ordinary.voices)).toEqual(new Set(['ordinary']));
  expect(light.records[0]?.warmUp?.proofs).toEqual([{ voice: 'light', changes: [] }]);
  expect([said(light), said(ordinary)]).toEqual([[], []]);
});

test('these are known to pass payloads, and no other kind', () => {
  const passing = serverKinds.filter(({ abilities }) => abilities.passesPayloads);
  expect(passing.map(({ name }) => name).sort()).toEqual(
    ['embedded', 'janus', 'livekit', 'mediamtx', 'live777'].sort(),
  );
});

test('who answers hears the voice of a browser, whatever passes', () => {
  const players = { kind: 'encoded', fullShare: 0 } as const;
  const voiceIn = (scenario: Scenario) => new SentVoice({ passesPayloads: true }, scenario).of({ players });
  expect([voiceIn(oneToOne), voiceIn(agentRoom), voiceIn(voiceAgent)]).toEqual(['light', 'light', 'ordinary']);
});

test('where the warm-up shows that the light voice is packed anew, the ordinary one is taken, proven, and an event says so', async () => {
  const ran = await run({ repacks: isLight });
  expect(ran.voices).toEqual(['light', 'ordinary', 'ordinary', 'ordinary']);
  expect(ran.records[0]?.warmUp?.proofs).toMatchObject([
    { voice: 'light', changes: [{ change: 'multiplied', kind: 'audio' }, { probe: '1b' }] },
    { voice: 'ordinary', changes: [] },
  ]);
  expect(verdicts(ran)).toEqual([
    ['stable', 'ordinary'],
    ['stable', 'ordinary'],
  ]);
  const sentence = 'Of each packet of sound from 1b the media server makes 2: 1a received 100 a second of 50 sent';
  expect(said(ran)).toEqual([expect.stringContaining(sentence)]);
  expect(ran.trust.filter((one) => one.includes(sentence))).toEqual([
    expect.stringContaining('did not come through the media server: from trial 1 on they sent'),
  ]);
});

test('without a warm-up the first trial shows it: it is void, and repeated with the ordinary voice', async () => {
  const ran = await run({ repacks: isLight, warmUp: false });
  expect(verdicts(ran)).toEqual([
    ['void', 'light'],
    ['stable', 'ordinary'],
    ['stable', 'ordinary'],
  ]);
  expect(ran.records[0]?.verdict.reasons[0]?.code).toBe('media-changed');
  expect(said(ran)).toHaveLength(1);
  expect(ran.trust.some((one) => one.includes('from trial 2 on'))).toBe(true);
});

test('a server that packs both voices anew is told what it does, and no size is named that it does not hold', async () => {
  const ran = await run({ repacks: always });
  expect(ran.voices.slice(0, 3)).toEqual(['light', 'ordinary', 'ordinary']);
  expect(ran.outcome).toBe('void');
  expect(new Set(verdicts(ran).map(([kind]) => kind))).toEqual(new Set(['void']));
  expect(ran.records[0]?.mediaChanges).toMatchObject([{ change: 'multiplied' }, { change: 'multiplied' }]);
  expect(ran.trust.some((one) => one.startsWith('What the media server does to media with one session alone'))).toBe(
    true,
  );
});
