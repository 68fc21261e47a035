import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { LoadlineError } from '../../model/errors.js';
import { chromium } from './driver.js';

const versionBoundMs = 5_000;
const systemNames = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];

interface FindChromiumRequest {
  /** The value of `--chromium`. */
  readonly flag?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface FoundChromium {
  readonly path: string;
  /** "156.0.8078.79". */
  readonly version: string;
  /** Where it was found, for the report: "--chromium", "LOADLINE_CHROMIUM", "playwright", "PATH". */
  readonly source: string;
}

/**
 * The first Chromium that runs: `--chromium`, LOADLINE_CHROMIUM, Playwright's own download, then the system's. One that
 * was named must run: E_CHROMIUM_START says what was seen. `undefined` when nothing was named and nothing is there.
 */
export async function findChromium({ flag, env }: FindChromiumRequest): Promise<FoundChromium | undefined> {
  const named = flag ? { path: flag, source: '--chromium' } : namedByEnvironment(env);
  if (named) return runNamed(named.path, named.source);
  for (const path of await playwrightPaths()) {
    const version = await versionOf(path).catch(() => undefined);
    if (version) return { path, version, source: 'playwright' };
  }
  for (const path of systemPaths(env)) {
    const version = await versionOf(path).catch(() => undefined);
    if (version) return { path, version, source: 'PATH' };
  }
  return undefined;
}

function namedByEnvironment(env: FindChromiumRequest['env']): { path: string; source: string } | undefined {
  const path = env.LOADLINE_CHROMIUM;
  return path ? { path, source: 'LOADLINE_CHROMIUM' } : undefined;
}

async function runNamed(path: string, source: string): Promise<FoundChromium> {
  try {
    return { path, version: await versionOf(path), source };
  } catch (error) {
    throw new LoadlineError('E_CHROMIUM_START', `The Chromium that ${source} names does not run: ${path}`, {
      where: source,
      why: error instanceof Error ? error.message : String(error),
      todo: `name an executable Chromium, or leave ${source} out and let one be found`,
      cause: error,
    });
  }
}

/** Asks the executable itself, at most 5 s. Rejects with a sentence when it is not there or does not say a version. */
async function versionOf(path: string): Promise<string> {
  await access(path, constants.X_OK).catch((error: NodeJS.ErrnoException) => {
    throw new Error(error.code === 'ENOENT' ? 'there is no such file' : `it is not executable (${error.code})`);
  });
  const { stdout } = await promisify(execFile)(path, ['--version'], {
    timeout: versionBoundMs,
    killSignal: 'SIGKILL',
  }).catch((error: { killed?: boolean; code?: unknown; stderr?: string }) => {
    const said = error.stderr?.trim().split('\n')[0];
    throw new Error(
      error.killed ? 'no answer to --version in 5 s' : `--version ended with ${error.code}${said ? `: ${said}` : ''}`,
    );
  });
  const version = /\d+\.\d+\.\d+\.\d+/.exec(stdout)?.[0];
  if (!version) throw new Error(`--version said "${stdout.trim().slice(0, 80)}", which is no Chromium version`);
  return version;
}

/**
 * Playwright's headless shell, else its full Chromium. Only the path of the full one is public; the shell is in the
 * folder beside it, by Playwright's naming (`chromium-1255` and `chromium_headless_shell-1255`).
 */
async function playwrightPaths(): Promise<readonly string[]> {
  const full = chromium.executablePath();
  const folder = /^(.*[/\\])chromium-(\d+)[/\\]/.exec(full);
  if (!folder) return full ? [full] : [];
  const shellFolder = `${folder[1]}chromium_headless_shell-${folder[2]}`;
  const inside = await readdir(shellFolder, { recursive: true }).catch((): string[] => []);
  const shells = inside.filter((name) => /^(chrome-)?headless[-_]shell(\.exe)?$/.test(basename(name)));
  return [...shells.map((name) => join(shellFolder, dirname(name), basename(name))), full];
}

function systemPaths(env: FindChromiumRequest['env']): readonly string[] {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return systemNames.flatMap((name) => folders.map((folder) => join(folder, name)));
}
