import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { LoadlineError } from '../../model/errors.js';
import { type LayerFault, layerFaults, layersAdded } from '../../model/layer.js';
import { parseRate, ratePattern } from '../../model/units.js';
import { cpuLimitCoresMin } from '../cpu-limit/cpu-cage.js';
import type { ServerOption, ServerWords } from '../server-kind.js';

const halfACore = { write: { '--cpu-limit': '0.5' }, note: 'for half of one core' };

/** Cores of CPU. Throws E_USAGE. */
export function readCpuLimit(text: string): number {
  const cores = /^\d{1,4}(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
  const here = availableParallelism();
  if (cores > here) {
    throw new LoadlineError('E_USAGE', `--cpu-limit ${text} is more than the ${here} cores of this machine.`, {
      where: '--cpu-limit',
      todo: [{ leave: ['--cpu-limit'] }, halfACore],
    });
  }
  if (cores >= cpuLimitCoresMin) return cores;
  throw new LoadlineError('E_USAGE', `--cpu-limit must be cores, ${cpuLimitCoresMin} or more, not "${text}".`, {
    where: '--cpu-limit',
    todo: halfACore,
  });
}

/** Answers per second. Throws E_USAGE. */
export function readAnswerRate(text: string): number {
  const perSecond = Number(/^(\d{1,5}(?:\.\d+)?)(?:\/s)?$/.exec(text.trim())?.[1] ?? Number.NaN);
  if (perSecond > 0) return perSecond;
  throw new LoadlineError('E_USAGE', `--answer-rate must be answers per second, not "${text}".`, {
    where: '--answer-rate',
    todo: { write: { '--answer-rate': '20/s' } },
  });
}

function readLayerFault(text: string, words: ServerWords): LayerFault {
  const fault = layerFaults.find((one) => one === text);
  if (fault && words.simulcast !== true) {
    throw new LoadlineError('E_USAGE', '--layer-fault without --simulcast changes nothing.', {
      where: '--layer-fault, --simulcast',
      why: 'there is one layer',
      todo: [layersAdded(words), { leave: ['--layer-fault'] }],
    });
  }
  if (fault) return fault;
  throw new LoadlineError('E_USAGE', `--layer-fault must be ${layerFaults.join(' or ')}, not "${text}".`, {
    where: '--layer-fault',
    todo: { write: { '--layer-fault': 'stuck' } },
  });
}

const rateError = 'must be a rate with its unit: 750kbit or 3mbit';

/** By its word, what it is for help, the setting that is read of it, and what of other servers it would be. */
function limitOption(
  word: string,
  flag: ServerOption['flags'][number],
  read: (text: string, words: ServerWords) => ReturnType<ServerOption['read']>,
  what: string,
): ServerOption {
  return {
    flags: [flag],
    read: (words) => (words[word] === undefined ? {} : read(String(words[word]), words)),
    refusal: (_, address) => ({
      text: `${flag.flag.split(' ')[0]} is for the embedded server only.`,
      why: `--server names ${address}, whose ${what} Loadline does not control`,
    }),
  };
}

/** The known limits that a server of our own can be given, so that the right answer of a search is known before. */
export const limitOptions: readonly ServerOption[] = [
  limitOption(
    'egressLimit',
    {
      flag: '--egress-limit <rate>',
      help: 'give the embedded server a known limit: 750kbit, 3mbit',
      shape: z.string({ error: rateError }).regex(ratePattern, { error: rateError }),
    },
    (limit) => ({ egressLimitBps: parseRate(limit, '--egress-limit') }),
    'network',
  ),
  limitOption(
    'cpuLimit',
    {
      flag: '--cpu-limit <cores>',
      help: 'hold the embedded server to this much CPU: 0.5 is half a core (as root)',
    },
    (cores) => ({ cpuLimitCores: readCpuLimit(cores) }),
    'CPU',
  ),
  limitOption(
    'answerRate',
    { flag: '--answer-rate <n/s>', help: 'let the embedded server answer so many offers a second and no more: 20/s' },
    (answerRate) => ({ answersPerSecond: readAnswerRate(answerRate) }),
    'pace',
  ),
  limitOption(
    'layerFault',
    {
      flag: '--layer-fault <kind>',
      help: `have the embedded server do wrong with layers, to see it told: ${layerFaults.join(', ')} (loadline help serve)`,
    },
    (layerFault, words) => ({ layerFault: readLayerFault(layerFault, words) }),
    'layers',
  ),
];
