import { z } from 'zod';
import { LoadlineError } from '../../model/errors.js';
import { parseRate, ratePattern } from '../../model/units.js';
import { cpuLimitCoresMin } from '../cpu-limit/cpu-cage.js';
import type { ServerKind, ServerOption, ServerWords } from '../server-kind.js';

/** Cores of CPU. Throws E_USAGE. */
export function readCpuLimit(text: string): number {
  const cores = /^\d{1,4}(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (cores >= cpuLimitCoresMin) return cores;
  throw new LoadlineError('E_USAGE', `--cpu-limit must be cores, ${cpuLimitCoresMin} or more, not "${text}".`, {
    where: '--cpu-limit',
    todo: 'write for example --cpu-limit 0.5 for half of one core',
  });
}

/** Answers per second. Throws E_USAGE. */
export function readAnswerRate(text: string): number {
  const perSecond = Number(/^(\d{1,5}(?:\.\d+)?)(?:\/s)?$/.exec(text.trim())?.[1] ?? Number.NaN);
  if (perSecond > 0) return perSecond;
  throw new LoadlineError('E_USAGE', `--answer-rate must be answers per second, not "${text}".`, {
    where: '--answer-rate',
    todo: 'write for example --answer-rate 20/s',
  });
}

const rateError = 'must be a rate with its unit: 750kbit or 3mbit';
const wordOf = (words: ServerWords, name: string) => (words[name] === undefined ? undefined : String(words[name]));

const notOurs = (flag: string, what: string) => (_: ServerKind, address: string) => ({
  text: `${flag} is for the embedded server only.`,
  why: `--server names ${address}, whose ${what} Loadline does not control`,
});

/** The known limits that a server of our own can be given, so that the right answer of a search is known before. */
export const limitOptions: readonly ServerOption[] = [
  {
    flags: [
      {
        flag: '--egress-limit <rate>',
        help: 'give the embedded server a known limit: 750kbit, 3mbit',
        shape: z.string({ error: rateError }).regex(ratePattern, { error: rateError }),
      },
    ],
    read: (words) => {
      const limit = wordOf(words, 'egressLimit');
      return limit === undefined ? {} : { egressLimitBps: parseRate(limit, '--egress-limit') };
    },
    refusal: notOurs('--egress-limit', 'network'),
  },
  {
    flags: [
      {
        flag: '--cpu-limit <cores>',
        help: 'hold the embedded server to this much CPU: 0.5 is half a core (as root)',
      },
    ],
    read: (words) => {
      const cores = wordOf(words, 'cpuLimit');
      return cores === undefined ? {} : { cpuLimitCores: readCpuLimit(cores) };
    },
    refusal: notOurs('--cpu-limit', 'CPU'),
  },
  {
    flags: [
      { flag: '--answer-rate <n/s>', help: 'let the embedded server answer so many offers a second and no more: 20/s' },
    ],
    read: (words) => {
      const answerRate = wordOf(words, 'answerRate');
      return answerRate === undefined ? {} : { answersPerSecond: readAnswerRate(answerRate) };
    },
    refusal: notOurs('--answer-rate', 'pace'),
  },
];
