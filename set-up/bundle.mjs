/** The build, made again when a source has changed. */
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dist, entryFile, root } from './places.mjs';
import { refuseIfForbidden, SetUpStopped, say } from './report.mjs';
import { runQuietly } from './run-quietly.mjs';
import { sourcesDigest, stampName } from './sources.mjs';

const command = 'npm run build';

/** A checkout that cannot be written runs with the build it has. */
export function bundleIsReady() {
  const stamp = join(dist, stampName);
  if (!existsSync(stamp) || !existsSync(entryFile)) return false;
  return readFileSync(stamp, 'utf8') === sourcesDigest() || !isWritable(root);
}

export async function buildBundle() {
  refuseIfForbidden('the build is missing or older than the sources', command);
  say('building');
  const { code, output } = await runQuietly(process.execPath, [join(root, 'set-up/build.mjs')], { cwd: root });
  if (code === 0) return;
  process.stderr.write(`${output}\n`);
  throw new SetUpStopped(`the build failed (see above); run "${command}" in ${root} to see it again.`);
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
