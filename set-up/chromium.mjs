/**
 * A Chromium for the probes: one that is there, else Playwright's download, else the system's package manager.
 * The command line runs this file as a child when a command needs a Chromium and finds none.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { alone } from './lock.mjs';
import { chromiumLock, dist, root } from './places.mjs';
import { SetUpStopped, say } from './report.mjs';
import { runQuietly } from './run-quietly.mjs';
import { installCommand, installPackage } from './system-packages.mjs';

/**
 * Wherever npm has put it: beside an installed package, or below it. Looked for late, because a fresh clone has none
 * before its packages are there.
 */
const playwrightCli = () =>
  join(dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js');
/** With the version that will look for it: Playwright keeps a browser for each of its own. */
const byHand = () => `node ${playwrightCli()} install --with-deps chromium-headless-shell`;

/** Resolves with `{ found: true }` or `{ found: false, why, todo }`. Set-up that is forbidden installs nothing. */
export async function ensureChromium() {
  if (await findChromium()) return { found: true };
  const todo = `run "${(await installCommand()) ?? byHand()}", or name one with --chromium PATH or LOADLINE_CHROMIUM`;
  if (process.env.LOADLINE_NO_SETUP === '1') {
    return { found: false, why: 'no Chromium was found, and LOADLINE_NO_SETUP=1 forbids set-up', todo };
  }
  const found = await alone(chromiumLock(), async () => {
    if (await findChromium()) return true;
    if ((await download()) && (await findChromium())) return true;
    await installPackage();
    return (await findChromium()) !== undefined;
  });
  return found ? { found } : { found, why: 'no Chromium was found and none could be installed', todo };
}

/** One that is named but does not run counts as found: the command line says what is wrong with it. */
async function findChromium() {
  const finder = await import(pathToFileURL(join(dist, 'find-chromium.js')).href);
  try {
    return await finder.findChromium({ env: process.env });
  } catch (error) {
    if (process.env.LOADLINE_CHROMIUM) return { path: process.env.LOADLINE_CHROMIUM };
    throw error;
  }
}

/** Resolves with true when a Chromium was downloaded; its libraries are installed when it does not run without. */
async function download() {
  say("downloading Chromium (Playwright's build), which may take minutes");
  if (!(await playwright(['install']))) {
    say('the download did not work; trying the system packages');
    return false;
  }
  if (!(await findChromium())) {
    say('installing the libraries that Chromium needs');
    await playwright(['install-deps']);
  }
  return true;
}

async function playwright(args) {
  const { code } = await runQuietly(process.execPath, [playwrightCli(), ...args, 'chromium-headless-shell'], {
    cwd: root,
    env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000', DEBIAN_FRONTEND: 'noninteractive' },
    silenceMs: 60_000,
  });
  return code === 0;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const answer = await ensureChromium().catch((error) => ({
    found: false,
    why: error instanceof SetUpStopped ? error.message : String(error?.stack ?? error),
    todo: `run "${byHand()}"`,
  }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
