import type { Command } from 'commander';
import { z } from 'zod';
import { LoadlineError } from '../../model/errors.js';
import type { Sentinels } from '../../model/native-probes.js';
import { readCount, readShare } from './values.js';
import type { Written } from './written.js';

/** What is done where nothing is asked. */
const usualSentinels: Sentinels = '5%';
/** They say what the others would see: a sample, and not the load. */
const mostBeside = 256;

export function addSentinelFlag(command: Command): Command {
  return command.option(
    '--sentinels <n>',
    'with --media native: so many or such a share of those who receive are browsers, three at least of each role, network and host (default: 5%); with --media none: so many browsers in sessions that stay (default: none)',
  );
}

/** How many of a crowd are browsers: `8` or `5%`. */
export const sentinels: Written<Sentinels> = {
  mustBe: 'must be a number of probes or a share: 8 or 5%',
  inPlans: z.union([z.number().int().min(1), z.string().regex(/^\d+(\.\d+)?%$|^\d+$/)]),
  read: (text, flag) => {
    if (!text.trim().endsWith('%')) return readCount(text, flag, { from: 1 });
    const percent = 100 * readShare(text, flag);
    if (percent > 0) return `${Number(percent.toFixed(6))}%`;
    throw new LoadlineError('E_USAGE', `${flag} is ${text}.`, {
      where: flag,
      why: 'without a browser among them nothing shows what a participant would notice',
      todo: 'give a share above 0%, or a number of probes',
    });
  },
};

/** How many browsers: among native probes, or beside those who signal alone. Throws E_USAGE. */
export function readSentinels({ media, sentinels: text }: { readonly media: string; readonly sentinels?: string }): {
  readonly among: Sentinels;
  readonly beside: number;
} {
  const unasked = { among: usualSentinels, beside: 0 };
  if (text === undefined) return unasked;
  if (media === 'native') return { ...unasked, among: sentinels.read(text, '--sentinels') };
  if (media === 'none') return { ...unasked, beside: readCount(text, '--sentinels', { from: 1, to: mostBeside }) };
  throw new LoadlineError('E_USAGE', '--sentinels is for --media native and none: browsers play all probes.', {
    where: '--sentinels, --media',
    todo: 'add --media native, or leave it out',
  });
}
