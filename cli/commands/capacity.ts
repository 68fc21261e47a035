import { resolve } from 'node:path';
import type { Command } from 'commander';
import { capacityOf } from '../../analysis/capacity/capacity.js';
import { capacityCsv } from '../../analysis/report/capacity-csv.js';
import { capacityText } from '../../analysis/report/capacity-text.js';
import { capacityPage } from '../../report/capacity-page.js';
import { writeNamedFile } from '../../store/run-directory/store-error.js';
import { openLimits } from '../capacity/open-limits.js';
import { capacityFlags, readAsk } from '../capacity/read-ask.js';
import { addFlags, type Flags, readFlags, type WordsOf } from '../options/flag.js';
import { trustFlags, trustOf } from '../options/trust-flag.js';
import { usageError } from '../options/usage-error.js';
import { word } from '../options/written.js';
import type { ToolProcess } from '../process.js';
import { builtAssets } from '../report/write-html.js';
import { loadlineVersion } from '../version.js';

const ofCapacity = {
  ...trustFlags,
  ...capacityFlags,
  html: { takes: 'file', about: 'write it as one HTML page, too' },
  format: {
    takes: 'format',
    about: 'what stdout gets: text, json, or csv (hosts over the --curve)',
    value: word(['text', 'json', 'csv']),
    usual: 'text',
  },
} as const satisfies Flags;

const help = `
A run is named by its folder, its name, a tag or latest; or as HOST=RUN to say what its kind of host is called: in the prices, and beside other kinds.
Runs of the same scenario on the same kind of host are repeats of one measurement.

Examples:
  loadline capacity runs/2026-11-21T14-03-12-one-to-one-embedded --for '2000 calls' --headroom 20% --spare 1
  loadline capacity large=runs/a small=runs/b --for '3000 calls/h of 4m' --turned-away 1% --placement hash --prices prices.yaml
  loadline capacity large=runs/c --for '50M viewers' --region eu=40% --region us=60% --html capacity.html`;

export function addCapacity(program: Command, tool: ToolProcess, onExitCode: (code: number) => void): void {
  const command = program
    .command('capacity')
    .summary('how many hosts a demand needs, and what they cost')
    .description(
      'Computes from the limits of stored runs how many hosts a demand needs, what else runs out, and the price.',
    )
    .argument('<runs...>', 'folders of runs, names, tags or latest, each also as HOST=RUN');
  addFlags(command, ofCapacity)
    .addHelpText('after', help)
    .action(async (runs: readonly string[], flags: WordsOf<typeof ofCapacity>) => {
      await capacity(runs, flags, tool);
      onExitCode(0);
    });
}

async function capacity(runs: readonly string[], words: WordsOf<typeof ofCapacity>, tool: ToolProcess): Promise<void> {
  const flags = readFlags(ofCapacity, words);
  const { format } = flags;
  if (format === 'csv' && flags.curve === undefined) {
    const todo = 'add --curve day.csv, or write --format json';
    throw usageError('--format csv is hosts over a day, and no day was given.', ['--format'], todo);
  }
  const limits = await openLimits(runs, trustOf(words), tool);
  const document = capacityOf(limits, await readAsk(flags, limits, tool.workingFolder));
  if (flags.html !== undefined) {
    const page = capacityPage(document, { style: (await builtAssets()).style, version: loadlineVersion() });
    const file = resolve(tool.workingFolder, flags.html);
    await writeNamedFile(file, page);
  }
  const texts = {
    text: () => capacityText(document),
    json: () => `${JSON.stringify(document, null, 2)}\n`,
    csv: () => capacityCsv(document),
  };
  tool.stdout.write(texts[format]());
}
