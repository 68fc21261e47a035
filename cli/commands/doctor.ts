import { release, tmpdir } from 'node:os';
import type { Command } from 'commander';
import { hasProgram } from '../../host/has-program.js';
import { videoCodecs } from '../../model/codec.js';
import { LoadlineError } from '../../model/errors.js';
import { planSchema } from '../../model/plan.js';
import { findListener } from '../../server-setup/evidence/process-resources.js';
import { chooseMeans, type HostMeans, tryHostMeans } from '../../server-setup/network/means.js';
import { exampleOf, isElsewhere, type Kinds, namingOne, type ServerProgram } from '../../server-setup/server-kind.js';
import {
  type Check,
  checkCache,
  checkCalibration,
  checkCgroup,
  checkChromium,
  checkConfinement,
  checkCores,
  checkMemory,
  checkNetworks,
  checkNode,
  checkOpenFiles,
  checkPorts,
  checkProgram,
  checkReceiveBuffer,
  checkRights,
  checkServer,
  checkState,
  checkTemporary,
  checkWhoPlays,
  doctorReport,
  refusalText,
} from '../doctor/checks.js';
import { conformanceReport } from '../doctor/conformance-report.js';
import { canBindPorts, cgroupVersion, readPages, readReceiveBuffer, readRights } from '../doctor/gather.js';
import { checkAbilities, checkEvidence, checkNote, checkPage } from '../doctor/server-checks.js';
import { evidenceFlags } from '../options/evidence-flags.js';
import { addFlags, type Flags, readFlags, type ValuesOf, type WordsOf } from '../options/flag.js';
import { networkFlags } from '../options/network-flags.js';
import { trialFlags } from '../options/run-flags.js';
import { type AskedServer, addServerFlag, readServer, type ServerFlags } from '../options/server.js';
import { readTogether } from '../options/together.js';
import type { ToolProcess } from '../process.js';
import { readCalibrations } from '../wiring/calibration-file.js';
import type { FoundChromium } from '../wiring/chromium.js';
import { assertState, assertTemporary, cacheFolder, stateFolder, usableCache } from '../wiring/folders.js';
import { readHostRoom } from '../wiring/host-room.js';
import { removeLeftovers } from '../wiring/leftovers.js';

const { network } = networkFlags;
const { chromium } = trialFlags;

/** What these features need with any server; what one kind of server needs, the kind says itself. */
const programs: readonly ServerProgram[] = [
  { file: 'ffprobe', name: 'ffprobe', neededFor: 'checking recordings', install: 'apt-get install ffmpeg' },
  { file: 'turnserver', name: 'coturn', neededFor: 'calls over TURN', install: 'apt-get install coturn' },
];

const strict = {
  about: 'hold the server to the standard of its kind instead (RFC 9725 for whip), request by request',
  inPlans: false,
} as const;

const doctorFlags = { chromium, network, evidence: evidenceFlags.evidence, strict } as const satisfies Flags;

type DoctorWords = WordsOf<typeof doctorFlags> & ServerFlags;

const help = ({ url }: ReturnType<typeof exampleOf>) => `
✓ is fine, ! is worth knowing, ✗ is in the way, each with what to do. Exit 0 when find would work, else 2.

Examples:
  loadline doctor
  loadline doctor --server ${url} --network wifi
  loadline doctor --server whip --whip URL --whep URL --strict`;

export function addDoctor(program: Command, tool: ToolProcess, onExitCode: (code: number) => void, kinds: Kinds): void {
  const command = program
    .command('doctor')
    .summary('check whether find would work on this host')
    .description('Checks this host and the media server, and says what to do about what is missing.');
  addServerFlag(command, kinds);
  addFlags(command, doctorFlags)
    .addHelpText('after', help(exampleOf(kinds)))
    .action(async (words: DoctorWords) => {
      const { flags, asked } = readTogether({
        flags: () => readFlags(doctorFlags, words),
        asked: () => readServer(words, kinds),
      });
      if (flags.strict) {
        const { text, exitCode } = await heldToStandard(asked, tool, kinds);
        tool.stdout.write(text);
        return onExitCode(exitCode);
      }
      await removeLeftovers(tool);
      const { text, exitCode } = doctorReport(await examine(flags, asked, tool, kinds));
      tool.stdout.write(text);
      onExitCode(exitCode);
    });
}

async function examine(flags: ValuesOf<typeof doctorFlags>, asked: AskedServer, tool: ToolProcess, kinds: Kinds) {
  const needed = [...asked.kind.programs, ...programs];
  const [room, rights, ports, buffer, means, pages] = await Promise.all([
    readHostRoom(),
    readRights(),
    canBindPorts(),
    readReceiveBuffer(),
    tryHostMeans(tool.env.PATH, release()),
    readPages(flags.evidence, tool.env.LOADLINE_EVIDENCE_TOKEN),
  ]);
  const found = await Promise.all(needed.map(({ file }) => hasProgram(file, tool.env.PATH)));
  // Loaded late: no other command may wait for a browser driver that it does not need.
  const { findChromium } = await import('../../probes/chromium/find-chromium.js');
  const { whoPlaysAsRoot } = await import('../wiring/players.js');
  const chromium = findChromium({ flag: flags.chromium, env: tool.env });
  return [
    checkNode(tool.nodeVersion),
    ...(await examineChromium(chromium)),
    ...(await whoPlaysAsRoot()).map(({ player, why }) => checkWhoPlays(player, rights.uid, why)),
    ...(await examineServer(asked, tool)),
    ...flags.evidence.flatMap((url) => checkPage(url, pages)),
    checkCores(room.cores, asked.kind.place.by === 'start' ? exampleOf(kinds).url : undefined),
    checkCalibration(await readCalibrations(tool), (await chromium.catch(() => undefined))?.version),
    checkMemory(room),
    checkPorts(room, ports),
    checkOpenFiles(room),
    checkReceiveBuffer(buffer),
    checkRights(rights.uid, rights.capEff),
    ...networkChecks(means, await isElsewhere(asked.kind, asked.server), flags.network !== undefined),
    ...(await examineFolders(tool)),
    checkCgroup(cgroupVersion()),
    ...needed.map((program, index) => checkProgram(program, found[index] === true)),
  ];
}

/** What the server does otherwise than the standard of its kind, and nothing of this host. Throws E_USAGE. */
async function heldToStandard({ kind, server }: AskedServer, { env }: ToolProcess, kinds: Kinds) {
  if (!kind.conformance) {
    throw new LoadlineError(
      'E_USAGE',
      `--strict holds a server to a standard, and there is none for ${kind.inWords}.`,
      {
        where: '--strict, --server',
        todo: namingOne(kinds.filter(({ conformance }) => conformance)),
      },
    );
  }
  const { offerOf } = await import('../../probes/signalling/offer.js');
  const publisher = { id: 'loadline', sends: ['audio', 'video'], receives: [] } as const;
  const offer = offerOf(publisher, 'in-one-message', videoCodecs);
  const { signal } = new AbortController();
  return conformanceReport(await kind.conformance({ server, env, offer, signal }), server.url ?? '');
}

/**
 * Impaired networks to a server on another machine need more of this host, which is told even when no such server was
 * named: but not to who asks for one network and one server.
 */
function networkChecks(means: HostMeans, serverElsewhere: boolean, asked: boolean): readonly Check[] {
  const choice = chooseMeans(means, serverElsewhere);
  const elsewhere = chooseMeans(means, true);
  const to = ' to a media server on another machine';
  return [
    checkNetworks(choice, { asked }),
    ...(choice.ok && !elsewhere.ok && !asked ? [checkNetworks(elsewhere, { to })] : []),
  ];
}

async function examineChromium(chromium: Promise<FoundChromium | undefined>): Promise<readonly Check[]> {
  try {
    const found = await chromium;
    if (!found) return [checkChromium(undefined)];
    const { whatChromiumLacks } = await import('../../probes/chromium/try-chromium.js');
    const lacks = await whatChromiumLacks(found.path);
    const { path, version } = found;
    const starts = checkChromium({ path, version, lacks });
    if (lacks !== undefined) return [starts];
    // After Chromium was started, because only then it tells whether it makes a sandbox here.
    const { confinementOf } = await import('../../probes/chromium/confinement.js');
    return [starts, checkConfinement(await confinementOf({ chromiumPath: path, temporaryRoot: tmpdir() }))];
  } catch (error) {
    return [failedCheck(error)];
  }
}

/** Where clips, calibrations and temporary files go. */
async function examineFolders(tool: ToolProcess): Promise<readonly Check[]> {
  const state = stateFolder(tool);
  return [
    checkCache(await usableCache(tool).catch(refusal), cacheFolder(tool)),
    checkTemporary(await assertTemporary().then(fine, refusal), tmpdir()),
    checkState(await assertState(tool).then(fine, refusal), state),
  ];
}

const fine = () => undefined;

function refusal(error: unknown): LoadlineError {
  if (error instanceof LoadlineError) return error;
  throw error;
}

/** Starts (or connects to) the media server, asks what it is and can do, and stops again; nothing is made on it. */
async function examineServer(asked: AskedServer, tool: ToolProcess): Promise<readonly Check[]> {
  const { serverOf } = await import('../wiring/wiring.js');
  const server = await serverOf(planSchema.parse({ scenario: 'one-to-one', server: asked.server }), asked, tool);
  try {
    const facts = await server.start(new AbortController().signal);
    const reading = await server.resources?.().catch(() => undefined);
    const listener = facts.pid === undefined && facts.sameHost ? await listenerAt(facts.url) : undefined;
    const notes = (server.notes?.() ?? []).map(checkNote);
    return [
      checkServer(facts.url, facts),
      ...notes,
      ...checkAbilities(facts),
      ...checkEvidence(facts, reading, listener),
    ];
  } catch (error) {
    return [failedCheck(error)];
  } finally {
    await server.stop();
  }
}

/** Who listens at an address on this host. */
async function listenerAt(address: string) {
  const { protocol, port: named } = URL.canParse(address) ? new URL(address) : { protocol: '', port: '' };
  const port = Number(named === '' ? usualPorts[protocol] : named);
  const found = port > 0 ? await findListener(port) : undefined;
  return found && { ...found, port };
}

const usualPorts: Readonly<Record<string, number>> = { 'http:': 80, 'ws:': 80, 'https:': 443, 'wss:': 443 };

function failedCheck(error: unknown): Check {
  if (!(error instanceof LoadlineError)) throw error;
  return {
    mark: 'fail',
    text: refusalText(error),
    remedy: error.todo ?? `see ${error.code} in docs/reference/errors.md`,
  };
}
