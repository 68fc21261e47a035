import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { fakeProcess } from '../cli/fake-process.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Lines that an addition puts into a file of the product: before the text, or in place of it. */
interface Addition {
  readonly file: string;
  readonly replaces: string | RegExp;
  readonly by: string;
}

type BuiltCommand = (
  args: readonly string[],
  kinds?: readonly ServerKind[],
) => Promise<{ readonly exitCode: number; readonly stdout: string; readonly stderr: string }>;

/**
 * The command line, built from its sources with these additions below `folder`. Throws where one of them does not fit.
 */
export async function builtWith(additions: readonly Addition[], folder: string): Promise<BuiltCommand> {
  // As a package, which the test runner loads as it is; with the packages it needs, and the file that tells its
  // version.
  const place = join(folder, 'node_modules/toy');
  const built = join(place, 'dist');
  mkdirSync(place, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
  await bundle(additions, built);
  copyFileSync(join(root, 'package.json'), join(place, 'package.json'));
  const { runCommandLine }: typeof import('../../cli/command-line.js') = await import(
    pathToFileURL(join(built, 'command-line.js')).href
  );
  return async (args, kinds) => {
    const env = {
      PATH: process.env.PATH ?? '',
      XDG_STATE_HOME: join(folder, 'state'),
      XDG_CACHE_HOME: join(folder, 'cache'),
    };
    const selfCommand = [process.execPath, join(built, 'loadline.js')];
    const tool = fakeProcess({ args, workingFolder: folder, env, selfCommand });
    const exitCode = await (kinds ? runCommandLine(tool, kinds) : runCommandLine(tool));
    return { exitCode, stdout: tool.written.stdout(), stderr: tool.written.stderr() };
  };
}

async function bundle(additions: readonly Addition[], outdir: string): Promise<void> {
  const added: Plugin = {
    name: 'some lines more',
    setup(bundle) {
      bundle.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const ofFile = additions.filter(({ file }) => file === relative(root, path));
        if (ofFile.length === 0) return undefined;
        return { contents: ofFile.reduce(withAddition, readFileSync(path, 'utf8')), loader: 'ts' };
      });
    },
  };
  await build({
    absWorkingDir: root,
    // Hosts on this machine are processes of the whole tool.
    entryPoints: { 'command-line': 'cli/command-line.ts', loadline: 'cli/main.ts' },
    outdir,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    splitting: true,
    logLevel: 'warning',
    plugins: [added],
  });
}

function withAddition(text: string, { file, replaces, by }: Addition): string {
  const changed = text.replace(replaces, by);
  if (changed === text) throw new Error(`${file} has no ${replaces}`);
  return changed;
}
