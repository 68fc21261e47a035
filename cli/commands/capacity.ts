import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { capacityOf } from '../../analysis/capacity/capacity.js';
import { capacityCsv } from '../../analysis/report/capacity-csv.js';
import { capacityText } from '../../analysis/report/capacity-text.js';
import { LoadlineError } from '../../model/errors.js';
import { capacityPage } from '../../report/capacity-page.js';
import { openLimits } from '../capacity/open-limits.js';
import { type CapacityFlags, readAsk } from '../capacity/read-ask.js';
import { addTrustFlag, type TrustFlags, trustOf } from '../options/trust-flag.js';
import { readWord } from '../options/values.js';
import type { ToolProcess } from '../process.js';
import { builtAssets } from '../report/write-html.js';
import { loadlineVersion } from '../version.js';

interface Flags extends CapacityFlags, TrustFlags {
  readonly format: string;
  readonly html?: string;
}

const help = `
A run is named by its folder, or as HOST=FOLDER to say what its kind of host is called: in the prices, and beside other kinds.
Runs of the same scenario on the same kind of host are repeats of one measurement.

Examples:
  loadline capacity runs/2026-11-21T14-03-12-one-to-one-embedded --for '2000 calls' --headroom 20% --spare 1
  loadline capacity large=runs/a small=runs/b --for '3000 calls/h of 4m' --turned-away 1% --prices prices.yaml
  loadline capacity large=runs/c --for '50M viewers' --region eu=40% --region us=60% --html capacity.html`;

const several = (value: string, before: readonly string[] = []) => [...before, value];

export function addCapacity(program: Command, tool: ToolProcess, onExitCode: (code: number) => void): void {
  const command = program
    .command('capacity')
    .summary('how many hosts a demand needs, and what they cost')
    .description(
      'Computes from the limits of stored runs how many hosts a demand needs, what else runs out, and the price.',
    )
    .argument('<runs...>', 'the folders of runs, each also as HOST=FOLDER');
  addTrustFlag(command)
    .requiredOption('--for <demand>', "what is to be carried: '10000 viewers'; may be repeated", several)
    .option('--turned-away <share>', 'of arrivals by chance so many may find no place and go: 1%')
    .option('--waiting <share>', 'of arrivals by chance so many may have to wait: 1%')
    .option('--headroom <share>', 'what of a host is left free: 20% (default: nothing)')
    .option('--spare <hosts>', "hosts that may fail, or 'zone of 3' (default: none)")
    .option('--together', 'sessions of all scenarios on the same hosts')
    .option('--broadcasts <n>', 'how many sessions the viewers are in (default: 1)')
    .option('--region <name=share>', 'a place with hosts of its own: eu=40%; may be repeated', several)
    .option('--growth <share>', 'how much the demand grows each month: 5%')
    .option('--months <n>', 'for so many months', '12')
    .option('--curve <file>', 'the load over a day: a CSV of time and load')
    .option('--link <rate>', 'what a host can send: 10gbit')
    .option('--ports <n>', 'UDP ports that the media server of a host may use')
    .option('--joins <n/s>', 'participants a second that a host lets in (default: the pace of the runs)')
    .option('--relayed <share>', 'of the participants so many come through a TURN relay: 15%')
    .option('--relay-link <rate>', 'what a relay host can send: 2gbit')
    .option('--prices <file>', 'what hosts and traffic cost (docs/capacity.md)')
    .option('--html <file>', 'write it as one HTML page, too')
    .option('--format <format>', 'what stdout gets: text, json, or csv (hosts over the --curve)', 'text')
    .addHelpText('after', help)
    .action(async (runs: readonly string[], flags: Flags) => {
      await capacity(runs, flags, tool);
      onExitCode(0);
    });
}

async function capacity(runs: readonly string[], flags: Flags, tool: ToolProcess): Promise<void> {
  const format = readWord(flags.format, '--format', ['text', 'json', 'csv']);
  if (format === 'csv' && flags.curve === undefined) throw csvWithoutCurve();
  const limits = await openLimits(runs, trustOf(flags), tool);
  const document = capacityOf(limits, await readAsk(flags, limits, tool.workingFolder));
  if (flags.html !== undefined) {
    const page = capacityPage(document, { style: (await builtAssets()).style, version: loadlineVersion() });
    const file = resolve(tool.workingFolder, flags.html);
    await writeFile(file, page).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      throw new LoadlineError('E_OUT', 'The page cannot be written.', { where: file, why, cause: error });
    });
  }
  const texts = {
    text: () => capacityText(document),
    json: () => `${JSON.stringify(document, null, 2)}\n`,
    csv: () => capacityCsv(document),
  };
  tool.stdout.write(texts[format]());
}

function csvWithoutCurve(): LoadlineError {
  return new LoadlineError('E_USAGE', '--format csv is hosts over a day, and no day was given.', {
    where: '--format',
    todo: 'add --curve day.csv, or take --format json',
  });
}
