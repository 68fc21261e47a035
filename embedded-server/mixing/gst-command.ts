import { execFile } from 'node:child_process';
import { openSync } from 'node:fs';
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../host/child-environment.js';
import { isRoot } from '../../host/is-root.js';
import { once } from '../../host/once.js';
import { removeFolder } from '../../host/remove-folder.js';
import { unprivilegedWords } from '../../host/unprivileged.js';

/** How GStreamer is started, without rights: it decodes what members send. */
interface GstCommand {
  /** The program and the words before it. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Descriptors for it, from the first behind the standard streams on. */
  readonly files: readonly number[];
}

const registryDescriptor = 3;
const scanBoundMs = 20_000;

/** Asked once. */
export const gstCommand = once(async (): Promise<GstCommand> => {
  // Without a bound of memory: a room of n has n² threads, whose stacks of 8 MiB each count and are hardly written to.
  const words = [...(await unprivilegedWords({})), 'gst-launch-1.0'];
  const registry = isRoot() && words.length > 1 ? await ownRegistry() : undefined;
  if (registry === undefined) return { words, env: childEnvironment(), files: [] };
  const place = { GST_REGISTRY: `/proc/self/fd/${registryDescriptor}`, GST_REGISTRY_UPDATE: 'no' };
  return { words, env: childEnvironment(place), files: [registry] };
});

/**
 * What nobody may not read in root's cache and could not write in its own: without it, each start looks through all
 * plug-ins, for 0.4 s of CPU. The file has no name any more, and goes with this process. Undefined where none can be
 * made.
 */
async function ownRegistry(): Promise<number | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-gstreamer-')).catch(() => undefined);
  if (folder === undefined) return undefined;
  try {
    const [made, given] = [join(folder, 'made'), join(folder, 'given')];
    const env = childEnvironment({ GST_REGISTRY: made });
    await new Promise<void>((resolve) => {
      execFile('gst-inspect-1.0', ['--exists', 'vp8enc'], { env, timeout: scanBoundMs }, () => resolve());
    });
    const bytes = await readFile(made);
    await writeFile(given, bytes, { flag: 'wx' });
    await chmod(given, 0o644);
    // For reading alone: it names the plug-ins that every mixer loads. A number and no FileHandle, which would be
    // closed when nobody holds it.
    return openSync(given, 'r');
  } catch {
    return undefined;
  } finally {
    await removeFolder(folder);
  }
}
