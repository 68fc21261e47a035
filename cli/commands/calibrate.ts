import type { Command } from 'commander';
import { carriesText } from '../../analysis/judge/calibration.js';
import type { Calibration, KindCalibration } from '../../model/calibration.js';
import { listedWith } from '../../model/listed.js';
import { probeKindNames } from '../../model/probe-kinds.js';
import { appFlags, appOf } from '../calibrate/app-to-calibrate.js';
import { calibrateHere } from '../calibrate/calibrate-here.js';
import type { calibrateVisit } from '../calibrate/calibrate-visit.js';
import { interruptedCode } from '../exit-codes.js';
import { busFlags } from '../options/bus-flags.js';
import { addFlags, type Flags, goingWith, readFlags, type WordsOf } from '../options/flag.js';
import { busAddress } from '../options/host-flags.js';
import { trialFlags } from '../options/run-flags.js';
import { usageError } from '../options/usage-error.js';
import type { ToolProcess } from '../process.js';
import { assertState, assertTemporary, usableCache } from '../wiring/folders.js';
import { unlessStopped } from '../wiring/stop-request.js';
import { visitable } from '../wiring/visit-preflight.js';

const calibrateFlags = {
  chromium: trialFlags.chromium,
  hosts: {
    takes: 'url',
    about: 'have each host of this bus measure itself: nats://HOST:4222',
    value: { read: busElsewhere },
  },
  ...appFlags,
  ...goingWith('--hosts', busFlags, 'nats://10.0.0.5:4222'),
} as const satisfies Flags;

type CalibrateWords = WordsOf<typeof calibrateFlags>;

const kinds = listedWith('and', probeKindNames.toReversed());

const help = `
Plays growing numbers of 1:1 calls on embedded media servers on this host, of ${kinds} probes in turn,
until something on the probe side gives way. Takes about eight minutes; let nothing else run meanwhile. What was found is
kept for this host and this Chromium, and plan and doctor use it. With --hosts, each host of a bus measures itself so, and runs place their probes by it. With --url, it is pages of a web app, in growing numbers of rooms, against the app's own
server: what one costs, and how many this host carries. plan and find use it for that app and size of its rooms.

Examples:
  loadline calibrate
  loadline calibrate --chromium /usr/bin/chromium
  loadline calibrate --hosts nats://10.0.0.5:4222
  loadline calibrate --url 'https://meet.example/{session}' --join join.mjs --room-size 3`;

export function addCalibrate(program: Command, tool: ToolProcess, onExitCode: (code: number) => void): void {
  const command = program
    .command('calibrate')
    .summary('measure how many probes this host carries')
    .description(`Measures what ${kinds} probes cost on this host, and how many of them it carries.`);
  addFlags(command, calibrateFlags)
    .addHelpText('after', help)
    .action(async (flags: CalibrateWords) => {
      const app = appOf(readFlags(calibrateFlags, flags), flags.hosts !== undefined);
      if (flags.hosts !== undefined) onExitCode(await elsewhere(flags.hosts, flags, tool));
      else onExitCode(await calibrate(flags, tool, app));
    });
}

function busElsewhere(text: string, flag: string): string {
  if (!/^local\b/.test(text)) return busAddress(text, flag);
  const todo = `leave ${flag} out: loadline calibrate measures this machine`;
  throw usageError(`${text} are processes of this machine, which share its CPU.`, [flag], todo);
}

/** Throws E_USAGE. */
async function elsewhere(url: string, { chromium, ...files }: CalibrateWords, tool: ToolProcess): Promise<number> {
  if (chromium !== undefined) {
    const todo = 'leave --chromium out, and give it to loadline host on each host';
    throw usageError('--chromium names a file of this host.', ['--chromium', '--hosts'], todo);
  }
  const access = { url, files };
  const { calibrateHosts } = await import('../calibrate/calibrate-hosts.js');
  return unlessStopped(tool, interruptedCode, (signal) => calibrateHosts(access, tool, signal));
}

async function calibrate(flags: CalibrateWords, tool: ToolProcess, app: ReturnType<typeof appOf>): Promise<number> {
  const visited = app && (await visitable(app, tool));
  const { removeLeftovers } = await import('../wiring/leftovers.js');
  const { ensureChromium } = await import('../wiring/chromium.js');
  await assertTemporary();
  await assertState(tool);
  const cache = await usableCache(tool);
  await removeLeftovers(tool);
  const chromium = await ensureChromium(tool, flags.chromium);
  return unlessStopped(tool, interruptedCode, async (signal) => {
    const { text, path } = visited
      ? await ofApp({ ...visited.request, app: visited.app }, { chromium, cache }, tool, signal)
      : await ofOwnProbes({ chromium, cache }, tool, signal);
    tool.stdout.write(`${text}\n\n  Saved  ${path}\n`);
    return 0;
  });
}

async function ofOwnProbes(...asked: Parameters<typeof calibrateHere>) {
  const { found, path } = await calibrateHere(...asked);
  return { text: resultText(found), path };
}

async function ofApp(...asked: Parameters<typeof calibrateVisit>) {
  // Loaded late: only those who visit need it.
  const { calibrateVisit } = await import('../calibrate/calibrate-visit.js');
  const { found, path } = await calibrateVisit(...asked);
  const { page, members } = found;
  const carries = `This host carries about ${page.carries} pages of this app in rooms of ${members}.`;
  return { text: `  ${carries}\n\n${costRow('page', page)}`, path };
}

function costRow(name: string, { coresPerProbe, mbPerProbe, because }: KindCalibration): string {
  return `    ${name.padEnd(9)}${coresPerProbe.toFixed(3)} of a core and ${mbPerProbe.toFixed(0)} MiB each. No more because: ${because}`;
}

function resultText(found: Calibration): string {
  const carries = carriesText(found);
  const rows = probeKindNames.toReversed().map((kind) => costRow(kind, found[kind]));
  return [`  ${carries.charAt(0).toUpperCase()}${carries.slice(1)}, beside embedded servers.`, '', ...rows].join('\n');
}
