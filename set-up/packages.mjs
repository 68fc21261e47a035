/** npm packages, exactly as the lock file has them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './places.mjs';
import { refuseIfForbidden, SetUpStopped, say } from './report.mjs';
import { runQuietly } from './run-quietly.mjs';

const command = 'npm ci';

/**
 * npm writes node_modules/.package-lock.json as the last act of an install: it is the stamp. Packages are up to date
 * when it has every package of package-lock.json that is meant for this platform, in the same version and content.
 */
export function packagesAreReady() {
  const wanted = readPackages('package-lock.json');
  const installed = readPackages('node_modules/.package-lock.json');
  if (!wanted) throw new SetUpStopped('package-lock.json is missing or broken; check the clone out again.');
  if (!installed) return false;
  return Object.entries(wanted).every(([path, one]) => {
    if (path === '' || !isForThisPlatform(one)) return true;
    return installed[path]?.version === one.version && installed[path]?.integrity === one.integrity;
  });
}

export async function installPackages() {
  refuseIfForbidden('the npm packages are missing or older than package-lock.json', command);
  say('installing npm packages');
  // No install scripts: nothing here needs one, and a clone should not run what strangers ship.
  const args = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { code, output } = await runQuietly('npm', args, { cwd: root });
  if (code === 0) return;
  process.stderr.write(`${firstLines(output)}\n`);
  throw new SetUpStopped(
    `the npm packages could not be installed (see above); run "${command}" in ${root} where the npm registry can be reached.`,
  );
}

/** Entries for several C libraries are left to npm: it tells them apart, Node does not. */
function isForThisPlatform(one) {
  if (one.libc) return false;
  return (!one.os || one.os.includes(process.platform)) && (!one.cpu || one.cpu.includes(process.arch));
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(root, file), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

/** npm says what is wrong first and then explains itself at length. */
function firstLines(output) {
  return output.split('\n').slice(0, 15).join('\n');
}
