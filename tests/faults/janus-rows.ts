import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import type { LoadlineError } from '../../model/errors.js';
import type { Scenario } from '../../model/scenario.js';
import type { TrialRecord } from '../../model/trial.js';
import { audioRoom } from '../../scenarios/audio-room.js';
import type { JanusSecrets } from '../../server-setup/janus/janus-options.js';
import type { JanusSetting, RealJanus } from '../real-janus.js';
import { kill } from './evidence-of-fault.js';
import type { FaultRow } from './fault.js';
import { fillRooms, somethingElse, wayTo } from './janus-surroundings.js';

/** Befalls a run on a real Janus whose sessions are negotiated, while its probes exist in numbers only. */
export interface JanusFault extends FaultRow {
  readonly cases: readonly JanusCase[];
}

export interface JanusCase {
  readonly name: string;
  /** Part of the campaign alone, and not of `npm test`. */
  readonly long?: true;
  /** Of the long suite alone. */
  readonly slow?: true;
  readonly setting?: JanusSetting;
  readonly run: (janus: RealJanus) => Promise<JanusRun>;
  /** Checks that the fault stands in the record by its name, and gives what the record says, for the table. */
  readonly said: (ended: EndedRun) => string;
}

/** How the run goes; where nothing is said, one trial of a call, straight to the Janus, with its secrets. */
export interface JanusRun {
  readonly url?: string;
  readonly trials?: number;
  readonly scenario?: Scenario;
  readonly secrets?: JanusSecrets;
  /** Before the first offer of each trial. */
  joining?(): Promise<void>;
  measuring?(): Promise<void>;
  betweenTrials?(): Promise<void>;
  /** After the run. */
  close?(): Promise<void>;
}

export interface EndedRun {
  readonly error?: LoadlineError;
  readonly records: readonly TrialRecord[];
}

export const janusSecrets = { api: 'only-for-tests', admin: 'only-for-tests-too' };
const silentMs = 20_000;

export const janusFaults: readonly JanusFault[] = [
  {
    id: 'janus-restarted',
    title: 'a Janus killed (SIGKILL) and started again between two trials',
    cases: [
      {
        name: '',
        slow: true,
        run: async (janus) => ({
          trials: 2,
          betweenTrials: async () => {
            await janus.kill();
            await janus.start();
          },
        }),
        said: ({ records }) => {
          expect(verdictsOf(records), wordsOf(records)).toEqual(['stable', 'stable']);
          const [, next] = records;
          const told = next?.events.find((event) => event.type === 'server' && event.kind === 'reconnected');
          expect(told).toMatchObject({ detail: expect.stringContaining('gone between trials') });
          return 'both trials are stable; the second says that it was gone between trials, and answers on a new connection';
        },
      },
    ],
  },
  {
    id: 'janus-room-full',
    title: 'the room of a Janus filled up (`publishers`) before those who publish join',
    cases: [
      {
        name: '',
        run: async (janus) => ({ joining: () => fillRooms(janus, janusSecrets) }),
        said: ({ records: [record] }) => {
          const text = record?.verdict.reasons.map((reason) => reason.text).join(' ') ?? '';
          expect(text).toContain('as many publishers as it may have');
          return `${record?.verdict.kind}: ${record?.verdict.reasons[0]?.text ?? ''}`;
        },
      },
    ],
  },
  {
    id: 'janus-socket-closed',
    title: 'the WebSocket to a Janus closed from its side while measuring',
    cases: [
      {
        name: '',
        slow: true,
        run: async (janus) => {
          const way = await wayTo(janus.url);
          return { url: way.url, trials: 2, measuring: way.cutOnce, close: way.close };
        },
        said: ({ records }) => {
          const [first, second] = records.map(({ verdict }) => verdict);
          expect(first?.reasons[0]?.code).toBe('server-lost');
          expect(second?.kind, wordsOf(records)).toBe('stable');
          return `${first?.kind}: ${first?.reasons[0]?.text ?? ''} The next trial is stable.`;
        },
      },
    ],
  },
  {
    id: 'janus-secret',
    title: 'a wrong secret of a Janus',
    cases: (['api', 'admin'] as const).map((which) => ({
      name: which === 'api' ? 'of its API' : 'of its Admin API',
      long: true,
      run: async () => ({ secrets: { ...janusSecrets, [which]: 'guessed' } }),
      said: (ended) => {
        expect(JSON.stringify(ended.error)).not.toContain('guessed');
        return refusalOf(ended, 'E_SERVER_REFUSED');
      },
    })),
  },
  {
    id: 'janus-plugin',
    title: 'a Janus without the plugin that a scenario needs',
    cases: [
      {
        name: 'VideoRoom',
        long: true,
        setting: { without: ['libjanus_videoroom.so'] },
        run: async () => ({}),
        said: (ended) => refusalOf(ended, 'E_SERVER_PROTOCOL'),
      },
      {
        name: 'AudioBridge',
        long: true,
        setting: { without: ['libjanus_audiobridge.so'] },
        run: async () => ({ scenario: audioRoom(2) }),
        said: (ended) => refusalOf(ended, 'E_CANNOT_MIX'),
      },
    ],
  },
  {
    id: 'janus-stranger',
    title: 'a web server that is no Janus where one is expected',
    cases: (['janus', 'janus+http'] as const).map((scheme) => ({
      name: `${scheme}://`,
      long: true,
      run: async () => somethingElse(scheme),
      said: (ended) => refusalOf(ended, 'E_SERVER_PROTOCOL'),
    })),
  },
  {
    id: 'janus-silent',
    title: 'a Janus that says nothing for 20 s (SIGSTOP) when a run begins',
    cases: [
      {
        name: '',
        long: true,
        run: async ({ pid }) => {
          kill(pid, 'SIGSTOP');
          const over = sleep(silentMs).then(() => kill(pid, 'SIGCONT'));
          return { close: () => over };
        },
        said: (ended) => refusalOf(ended, 'E_SERVER_PROTOCOL'),
      },
    ],
  },
];

const verdictsOf = (records: readonly TrialRecord[]) => records.map(({ verdict }) => verdict.kind);

/** Why each trial ended as it did, for who reads that a row has failed. */
const wordsOf = (records: readonly TrialRecord[]): string =>
  records.map(({ index, verdict }) => `${index}: ${verdict.reasons.map(({ text }) => text).join(' ')}`).join('\n');

/** The words of a run that was refused, without the address, which is another one each time. */
function refusalOf({ error, records }: EndedRun, code: string): string {
  expect(error).toMatchObject({ code });
  expect(records).toEqual([]);
  const words = `${error?.message ?? ''} (${error?.why ?? ''})`.replace(/\b\S+:\/\/\S+/g, '…');
  return `ends with ${code}: ${words}`;
}
