import type { Command } from 'commander';
import { given } from '../../model/given.js';
import { probeKindNames } from '../../model/probe-kinds.js';
import { findHosts } from '../../probes/hosts/find-hosts.js';
import { commonChromium, type FoundHost, unfitness, type Wanted } from '../../probes/hosts/unfitness.js';
import { openBus } from '../hosts/bus.js';
import { wantedHere } from '../hosts/this-machine.js';
import { busFlags } from '../options/bus-flags.js';
import { addFlags, type Flags, readFlags, type WordsOf } from '../options/flag.js';
import type { ToolProcess } from '../process.js';
import { hostFlags } from './host.js';

const hostsFlags = { bus: hostFlags.bus, ...busFlags } as const satisfies Flags;

const help = `
Exits 0 when at least one host can serve, 1 when none can.

Examples:
  loadline hosts --bus nats://10.0.0.5:4222`;

export function addHosts(program: Command, tool: ToolProcess, onExitCode: (code: number) => void): void {
  const command = program
    .command('hosts')
    .summary('list the probe hosts on a bus')
    .description('Lists the probe hosts on a bus, and says which cannot serve a run, and why.');
  addFlags(command, hostsFlags)
    .addHelpText('after', help)
    .action(async (flags: WordsOf<typeof hostsFlags>) => onExitCode(await listHosts(flags, tool)));
}

async function listHosts(words: WordsOf<typeof hostsFlags>, tool: ToolProcess): Promise<number> {
  const bus = await openBus({ url: readFlags(hostsFlags, words).bus, files: words }, { side: 'conductor' }, tool);
  try {
    const found = await findHosts(bus);
    const wanted = await wantedHere();
    const { text, fit } = hostsText(found, wanted);
    tool.stdout.write(text);
    return fit > 0 ? 0 : 1;
  } finally {
    await bus.close();
  }
}

/** A line for each, and how many can serve. */
export function hostsText(found: readonly FoundHost[], wanted: Wanted) {
  if (found.length === 0) return { text: 'No host answers on this bus.\n', fit: 0 };
  const chromium = commonChromium(found, wanted);
  const rows = found.map((host) => {
    const why = unfitness(host, { ...wanted, ...given({ chromium }) });
    return { cells: cellsOf(host, wanted), why };
  });
  const widths = (rows[0]?.cells ?? []).map((_, nth) => Math.max(...rows.map(({ cells }) => cells[nth]?.length ?? 0)));
  const lines = rows.map(({ cells, why }) => {
    const padded = cells.map((cell, nth) => cell.padEnd(widths[nth] ?? 0)).join('  ');
    return `  ${why === undefined ? '✓' : '✗'} ${padded}${why === undefined ? '' : `  ${why}`}`.trimEnd();
  });
  const fit = rows.filter(({ why }) => why === undefined).length;
  return { text: `${lines.join('\n')}\n  ${fit} of ${rows.length} can serve a run now.\n`, fit };
}

function cellsOf({ offer, clock }: FoundHost, { boot }: Wanted): readonly string[] {
  const { name, place, cores, memoryFreeMb, memoryMb, chromium, carries } = offer;
  const memory = memoryFreeMb === undefined ? `${memoryMb} MB` : `${memoryFreeMb} of ${memoryMb} MB free`;
  const carried = carries
    ? `carries ${probeKindNames.map((kind) => `${carries[kind]} ${kind}`).join(', ')}`
    : 'not calibrated';
  const { means } = offer.impairs ?? { means: 'none' };
  const impairs = means === 'none' ? 'no --network' : `--network by ${means}`;
  const time = offer.boot === boot ? 'this machine' : clock ? `clock ±${clock.boundMs} ms` : 'no clock';
  return [name, place ?? '-', `${cores} cores`, memory, `Chromium ${chromium ?? 'none'}`, carried, impairs, time];
}
