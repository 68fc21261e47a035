import { resolve } from 'node:path';
import type { Command } from 'commander';
import { planSchema } from '../../model/plan.js';
import type { Visitor } from '../../probes/visit/address.js';
import type { Seen } from '../../probes/visit/look.js';
import { memberIds } from '../../scenarios/group.js';
import { checkedApp } from '../../server-setup/web-app/app-address.js';
import { writeNamedFile } from '../../store/run-directory/store-error.js';
import { interruptedCode } from '../exit-codes.js';
import { seenText } from '../live/seen-lines.js';
import { usualCamera } from '../options/camera-flag.js';
import { addFlags, type Flags, readFlags, type WordsOf } from '../options/flag.js';
import { trialFlags } from '../options/run-flags.js';
import { mostMembers, readRole, usersFile, visitFlags, visitOf } from '../options/visit-flags.js';
import { count, duration } from '../options/written.js';
import type { ToolProcess } from '../process.js';
import { assertTemporary, usableCache } from '../wiring/folders.js';
import { unlessStopped } from '../wiring/stop-request.js';
import { endingWhenStuck } from '../wiring/stuck-script.js';
import { assertVisitable, withWholePaths } from '../wiring/visit-preflight.js';

const { join, library, users, block, camera, trace } = visitFlags;

const ofVisit = {
  url: {
    takes: 'url',
    about: 'its address, with {session}, {participant}, {role} and {index} where they go',
    suchAs: 'https://meet.example/{session}',
    value: { read: checkedApp },
    mustBeGiven: true,
  },
  join: { takes: join.takes, about: 'script that joins: export default async ({ page }) => …' },
  library: { takes: library.takes, about: "module that joins by the app's client library, without its page" },
  users: {
    takes: users.takes,
    about: 'who logs in, a CSV: each participant is another user',
    value: { read: usersFile('--members') },
  },
  trace: { takes: trace.takes, about: trace.about },
  block: { takes: block.takes, about: block.about },
  camera: { takes: camera.takes, about: 'what its camera gives: 320x180@15', value: camera.value, usual: usualCamera },
  role: {
    takes: 'name',
    about: 'the role that address and script are told',
    value: { read: readRole },
    usual: 'member',
  },
  members: { about: 'so many visit one session', value: count({ to: mostMembers }), usual: '1' },
  within: { about: 'how long opening the page and joining may take', value: duration, usual: '30s' },
  headed: { about: 'with a window on the screen' },
  screenshot: { takes: 'file', about: 'write what the page shows at the end, a JPEG' },
  chromium: trialFlags.chromium,
} as const satisfies Flags;

type VisitWords = WordsOf<typeof ofVisit>;

const help = `
The page is opened in a Chromium of its own whose camera and microphone play a clip, and the join script is run. What its
connections carry is shown once nothing new has come for four seconds. Exits 0 when media flows, 3 when none does.

Examples:
  loadline visit --url 'https://meet.example/{session}?name={participant}'
  loadline visit --url 'https://meet.example/{session}' --join join.mjs --screenshot seen.jpg
  loadline visit --url 'https://meet.example/{session}' --join join.mjs --members 2 --headed`;

export function addVisit(program: Command, tool: ToolProcess, onExitCode: (code: number) => void): void {
  const command = program
    .command('visit')
    .summary('try a web app with one participant')
    .description('Has one participant visit a web app, and shows the connections and streams that its page has.');
  addFlags(command, ofVisit)
    .addHelpText('after', help)
    .action(async (flags: VisitWords) => onExitCode(await visitOnce(flags, tool)));
}

function orderOf(words: VisitWords, tool: ToolProcess) {
  const { url, role, members, camera, within, trace, ...asked } = readFlags(ofVisit, words);
  const visit = visitOf(asked);
  const visitors = memberIds('1', members).map((participant, index): Visitor => {
    return { session: '1', participant, role, index };
  });
  return {
    trace,
    deadlineMs: within,
    media: planSchema.shape.media.parse(camera),
    visitors,
    order: {
      ...visit,
      ...withWholePaths(visit, tool),
      url,
      env: tool.env,
      ending: endingWhenStuck(tool, 'E_JOIN_SCRIPT'),
    },
  };
}

async function visitOnce(flags: VisitWords, tool: ToolProcess): Promise<number> {
  const { trace, ...asked } = orderOf(flags, tool);
  const app = await assertVisitable({ ...asked.order, trace }, tool);
  app.logIns.assertFor(asked.visitors.length);
  await assertTemporary();
  const cacheFolder = await usableCache(tool);
  // Loaded late: bad input must not wait for a browser driver.
  const { ensureChromium } = await import('../wiring/chromium.js');
  const { lookAtSession } = await import('../../probes/visit/look.js');
  const chromium = await ensureChromium(tool, flags.chromium);
  return unlessStopped(tool, interruptedCode, async (signal) => {
    const seen = await lookAtSession({
      ...asked,
      order: { ...asked.order, ...app },
      chromiumPath: chromium.path,
      cacheFolder,
      pauseMs: 500,
      ...(flags.headed ? { headed: true } : {}),
      ...(flags.screenshot === undefined ? {} : { pictures: true }),
      signal,
    });
    if (flags.screenshot !== undefined) await keepPicture(seen, resolve(tool.workingFolder, flags.screenshot));
    tool.stdout.write(seenText(seen));
    return seen.every(({ connections, failure }) => !failure && connections.length > 0) ? 0 : 3;
  });
}

/** Of the last one who came, or of the one who could not join. */
async function keepPicture(seen: readonly Seen[], path: string): Promise<void> {
  const picture = seen.at(-1)?.picture;
  if (!picture) return;
  const where = `--screenshot ${path}`;
  await writeNamedFile(path, picture, { what: 'screenshot', where, code: 'E_FOLDER' });
}
