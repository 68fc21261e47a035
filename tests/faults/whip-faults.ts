import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { startLoadline } from '../cli/run-loadline.js';
import { soon } from '../soon.js';
import type { EndedTool } from '../system/running-tool.js';
import { eventsOf, lastRecord, midway } from './evidence-of-fault.js';
import { type Fault, type FaultCase, measuredFor, once, type Stage } from './fault.js';
import { type WhipFront, whipFront } from './whip-front.js';

/** Without a warm-up, which would meet what is meant for the first participants, and is not judged. */
const oneViewer = ['try', 'broadcast', '--size', '1', '--measure', '10s', '--settle', '7s', '--no-warm-up'] as const;
const silentMs = 20_000;
/** The embedded server gives up a silent publisher after 30 s, and looks each 5 s. */
const givenUpMs = 45_000;
const token = 'only-for-tests-0123456789';

type Answer = Parameters<typeof whipFront>[0];

interface Befallen {
  readonly answer: Answer;
  /** A token that is asked for, and another one that is shown. */
  readonly guarded?: true;
  readonly long?: true;
  /** How long the server may hold on to what cannot be ended. Left out: nothing is left when the run ends. */
  readonly leftMs?: number;
  readonly said: (ended: EndedTool) => Promise<string>;
}

/** A run against a server of WHIP whose answers are at fault; at its end the server must hold nothing of it. */
function whipCase({ answer, guarded, long, leftMs = 1000, said }: Befallen): Omit<FaultCase, 'name'> {
  let front: WhipFront | undefined;
  const stage = async (): Promise<Stage> => {
    front = await whipFront(answer, guarded ? token : undefined);
    const env = guarded ? { LOADLINE_WHIP_TOKEN: 'guessed', LOADLINE_WHEP_TOKEN: token } : {};
    return { args: front.args, env, close: () => (front as WhipFront).close() };
  };
  return {
    ...(long ? { long } : {}),
    asks: oneViewer,
    stage,
    inject: async () => undefined,
    said: async (ended) => {
      await soon(() => front?.endpoints(), { timeout: leftMs }).toBe(0);
      return said(ended);
    },
  };
}

/** The run ends before any probe is there. */
const endsWith = (code: string, exitCode: number, text: string) => async (ended: EndedTool) => {
  expect(ended.stderr).toContain(`error ${code}`);
  expect(ended.stderr).toContain(text);
  expect(ended.stderr).not.toContain('guessed');
  expect(ended.exitCode).toBe(exitCode);
  return `ends with ${code} (${exitCode})`;
};

/** The first trial is the one that it befalls; a baseline that failed is tried again, which is said, too. */
const unstable = (text: string) => async (ended: EndedTool) => {
  const [befallen, ...later] = (await ended.storedRun()).records.map(({ verdict }) => verdict);
  const reason = befallen?.reasons.find((one) => one.text.includes(text));
  expect(reason, JSON.stringify([befallen, ...later])).toBeDefined();
  expect(befallen?.kind).toBe('unstable');
  const next = later.map(({ kind, reasons }) => (reasons[0] ? `${kind} (${reasons[0].text})` : kind));
  return `unstable: ${reason?.text}${next.length > 0 ? ` Tried again: ${next.join(', ')}` : ''}`;
};

const isOffer = ({ method }: { readonly method: string }) => method === 'POST';
const wait = { 'retry-after': '1' };
const tooMany = { status: 429, headers: wait, text: 'slow down' };

/** What befalls a run on a server of WHIP and WHEP. */
export const whipFaults: readonly Fault[] = [
  once(
    'whip-other-http',
    'an HTTP server that is none of WHIP at its address',
    whipCase({
      answer: () => ({ status: 200, headers: { 'content-type': 'text/html' }, text: '<h1>It works!</h1>' }),
      said: endsWith('E_SERVER_PROTOCOL', 2, 'takes no offers of WHIP'),
    }),
  ),
  once(
    'whip-wrong-token',
    'a server of WHIP that wants another token',
    whipCase({
      answer: ({ forward }) => forward(),
      guarded: true,
      long: true,
      said: endsWith('E_SERVER_REFUSED', 1, 'LOADLINE_WHIP_TOKEN'),
    }),
  ),
  once(
    'whip-no-sdp',
    'a server of WHIP whose answer to an offer is no SDP',
    whipCase({
      answer: async (request) => {
        const said = await request.forward();
        return isOffer(request) && said.status === 201 ? { ...said, text: 'welcome' } : said;
      },
      long: true,
      said: unstable('no SDP'),
    }),
  ),
  once(
    'whip-lost-location',
    'a server of WHIP whose Location leads nowhere',
    whipCase({
      answer: async (request) => {
        if (request.path.startsWith('/nowhere')) return { status: 404 };
        const said = await request.forward();
        return said.status === 201 ? { ...said, headers: { ...said.headers, location: '/nowhere' } } : said;
      },
      long: true,
      leftMs: givenUpMs,
      said: unstable('its Location leads nowhere'),
    }),
  ),
  once(
    'whip-silent',
    'a server of WHIP that does not answer for 20 s, from the first offer on',
    whipCase({
      answer: silentFor(silentMs),
      long: true,
      leftMs: givenUpMs,
      said: unstable('did not answer (POST) in'),
    }),
  ),
  {
    id: 'whip-too-many',
    title: 'a server of WHIP and WHEP that takes no more requests for a second (429 with Retry-After)',
    cases: [
      {
        name: 'a viewer’s',
        ...whipCase({
          answer: firstOffer('/whep', tooMany),
          long: true,
          said: async (ended) => {
            const { verdict } = await lastRecord(ended);
            expect(verdict.kind, JSON.stringify(verdict.reasons)).toBe('stable');
            const events = await eventsOf((await ended.storedRun()).directory);
            expect(events).toContain('"name":"waiting"');
            expect(events).toContain('429');
            return 'stable: it came again when it was told to, and an event says so';
          },
        }),
      },
      {
        name: 'a publisher’s',
        ...whipCase({ answer: firstOffer('/whip', tooMany), long: true, said: unstable('429 Too Many Requests') }),
      },
    ],
  },
  once('whip-killed', 'a server of WHIP killed (SIGKILL) while measuring', killedWhileMeasuring()),
];

/**
 * Answers the first real offer of a kind with this; what is sent before, to see what is there, is answered as usual.
 */
function firstOffer(way: string, answer: { readonly status: number; readonly text: string }): Answer {
  let told = false;
  return (request) => {
    if (told || !isOffer(request) || !request.path.endsWith(way)) return request.forward();
    told = true;
    return answer;
  };
}

function silentFor(ms: number): Answer {
  let untilMs: number | undefined;
  return async (request) => {
    if (isOffer(request)) untilMs ??= performance.now() + ms;
    const leftMs = (untilMs ?? 0) - performance.now();
    if (leftMs <= 0) return request.forward();
    await sleep(leftMs);
    return { status: 503 };
  };
}

function killedWhileMeasuring(): Omit<FaultCase, 'name'> {
  let server: ReturnType<typeof startLoadline> | undefined;
  const kill = () => server?.kill('SIGKILL');
  return {
    long: true,
    // Browsers notice 6 s later.
    asks: measuredFor('20s', oneViewer),
    stage: async () => {
      server = startLoadline(['serve']);
      const lines = await saidOf(server);
      const addresses = ['whip', 'whep'].flatMap((way) => [
        `--${way}`,
        new RegExp(`^${way} (\\S+)$`, 'm').exec(lines)?.[1] ?? '',
      ]);
      return { args: ['--server', 'whip', ...addresses], close: async () => void kill() };
    },
    inject: async (tool) => {
      await midway(tool);
      kill();
    },
    said: unstable('lost its connection'),
  };
}

/** What it prints until it is ready. */
function saidOf(server: ReturnType<typeof startLoadline>): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    server.stdout.on('data', (part: Buffer) => {
      text += String(part);
      if (/^whep \S+\n/m.test(text)) resolve(text);
    });
    server.once('close', () => reject(new Error(`the server ended before it was ready: ${text}`)));
  });
}
