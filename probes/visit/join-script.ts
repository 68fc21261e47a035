import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import type { Page } from 'playwright-core';
import { LoadlineError } from '../../model/errors.js';
import type { Visitor } from './address.js';
import type { AppWords } from './app-words.js';
import type { User } from './log-ins.js';
import { watchedEnvironment } from './script-environment.js';
import { ScriptWatch, type StuckEnding } from './script-watch.js';
import { scriptFileBegin } from './script-watch-wire.js';

/** What a join script is given. `env` is the environment of the command; what it holds is stored nowhere. */
export interface Visit extends Visitor, AppWords {
  /** Playwright's own; the address is open already. */
  readonly page: Page;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whose page it is. */
  readonly user: User;
  /** Aborts when the probe is out of time or the trial ends. */
  readonly signal: AbortSignal;
}

/** What is given to log in: a blank page, whose relative addresses are of the app. */
type Preparing = Pick<Visit, 'page' | 'env' | 'user' | 'signal'>;

type Act = (visit: Visit) => unknown;
type BoundAct = (visit: Visit, boundMs: number) => unknown;

/**
 * A module of the user: its default export joins. Where they are there, `leave` leaves, `prepare` logs in, and
 * `measure` is called each second for as long as the participant is there.
 */
export interface JoinScript {
  readonly join: BoundAct;
  readonly leave?: BoundAct;
  readonly measure?: BoundAct;
  /** Logs one identity in, which is called by this name. */
  readonly prepare?: (given: Preparing, name: string, boundMs: number) => unknown;
  /** "join.mjs:12", the line of the script that an error came from; absent: it came from elsewhere. */
  readonly lineOf: (error: unknown) => string | undefined;
  /** What it read of the environment that is not set, a sentence part each. */
  readonly unset: () => readonly string[];
}

const nothing: JoinScript = { join: () => undefined, lineOf: () => undefined, unset: () => [] };

/**
 * Loads a join script, in JavaScript or TypeScript, with what it imports. Throws E_JOIN_SCRIPT: it is not there, cannot
 * be read, throws while it is loaded, or has no default export. With an ending, it is watched that the script gives
 * way.
 */
export async function loadJoinScript(path: string | undefined, ending?: StuckEnding): Promise<JoinScript> {
  if (path === undefined) return nothing;
  const { code, map } = await bundled(path);
  const file = join(tmpdir(), `${scriptFileBegin}${randomUUID()}.mjs`);
  const lineOf = (error: unknown) => lineIn(error instanceof Error ? error.stack : undefined, file, map, path);
  await writeFile(file, code, { mode: 0o600 });
  const watch =
    ending &&
    ScriptWatch.of({ path, ending: withoutFile(ending, file), lineOf: (place) => lineIn(place, file, map, path) });
  const run = (name: string, boundMs: number, act: () => unknown): unknown =>
    watch ? watch.run(name, boundMs, act) : act();
  const { seen, unset } = watchedEnvironment(lineOf);
  const watched =
    (act: Act): BoundAct =>
    (visit, boundMs) =>
      run(visit.participant, boundMs, () => act(seen(visit)));
  try {
    const found = (await import(pathToFileURL(file).href)) as Readonly<Partial<Record<string, unknown>>>;
    const { default: act, leave, measure, prepare } = found;
    if (typeof act !== 'function') throw noFunction(path);
    return {
      join: watched(act as Act),
      lineOf,
      unset,
      ...(typeof leave === 'function' ? { leave: watched(leave as Act) } : {}),
      ...(typeof measure === 'function' ? { measure: watched(measure as Act) } : {}),
      ...(typeof prepare === 'function'
        ? { prepare: (given, name, boundMs) => run(name, boundMs, () => prepare(seen(given))) }
        : {}),
    };
  } catch (error) {
    if (error instanceof LoadlineError) throw error;
    throw refused(path, lineOf(error), error instanceof Error ? error.message : String(error));
  } finally {
    await rm(file, { force: true });
  }
}

/** A join script with what it imports, as text that is the same wherever its files lie. Throws E_JOIN_SCRIPT. */
export async function joinCode(path: string): Promise<string> {
  return (await bundled(path)).code.replaceAll(/"file:[^"]*\/node_modules\//g, '"');
}

/** Whether the word `session` stands in it: without it, a join script cannot tell rooms apart. */
export const namesSession = (code: string): boolean => /\bsession\b/.test(code);

/** Nothing is done after it: what the script is loaded from would stay. */
const withoutFile = (ending: StuckEnding, file: string): StuckEnding => ({
  ...ending,
  end: (stuck) => {
    rmSync(file, { force: true });
    ending.end(stuck);
  },
});

/**
 * Playwright is not bundled, and is taken from where the script has it, or from Loadline's own: never from a
 * `node_modules` beside the bundle, which lies in a folder where everybody may make one.
 */
const asInstalled: Plugin = {
  name: 'as-installed',
  setup(build) {
    build.onResolve({ filter: /^(playwright|playwright-core|@playwright\/test)$/ }, async (asked) => {
      if (asked.pluginData === asInstalled) return undefined;
      const { kind, resolveDir } = asked;
      const own = dirname(fileURLToPath(import.meta.url));
      for (const folder of [resolveDir, own]) {
        const found = await build.resolve(asked.path, { kind, resolveDir: folder, pluginData: asInstalled });
        if (found.errors.length > 0) continue;
        return { path: kind === 'require-call' ? found.path : pathToFileURL(found.path).href, external: true };
      }
      return { errors: [{ text: `Could not resolve "${asked.path}"` }] };
    });
  },
};

interface Bundle {
  readonly code: string;
  readonly map: SourceMap;
}

/** One file with all that the script imports, so that it can lie anywhere; types are taken away. */
async function bundled(path: string): Promise<Bundle> {
  // Loaded late: only those who visit with a script need it.
  const { build } = await import('esbuild');
  try {
    const { outputFiles } = await build({
      entryPoints: [path],
      absWorkingDir: dirname(path),
      outfile: 'join.mjs',
      write: false,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      sourcemap: 'external',
      logLevel: 'silent',
      plugins: [asInstalled],
    });
    const text = (end: string): string => outputFiles.find((file) => file.path.endsWith(end))?.text ?? '';
    return { code: text('join.mjs'), map: new SourceMap(JSON.parse(text('.map')) as SourceMapPayload) };
  } catch (error) {
    throw refused(path, ...firstProblem(error, path));
  }
}

/** What esbuild says first, with its place. */
function firstProblem(error: unknown, path: string): [string | undefined, string] {
  const [first] = (error as { readonly errors?: readonly BuildProblem[] }).errors ?? [];
  if (!first) return [undefined, error instanceof Error ? error.message : String(error)];
  const { location } = first;
  return [location ? `${nameIn(path, location.file)}:${location.line}:${location.column + 1}` : undefined, first.text];
}

interface BuildProblem {
  readonly text: string;
  readonly location: { readonly file: string; readonly line: number; readonly column: number } | null;
}

/** A source as it is named from beside the script. */
const nameIn = (path: string, source: string): string => relative(dirname(path), resolve(dirname(path), source));

function lineIn(stack = '', file: string, map: SourceMap, path: string): string | undefined {
  const [, line, column] = new RegExp(`${basename(file).replaceAll('.', '\\.')}:(\\d+):(\\d+)`).exec(stack) ?? [];
  if (line === undefined || column === undefined) return undefined;
  const found = map.findEntry(Number(line) - 1, Number(column) - 1);
  return 'originalLine' in found ? `${nameIn(path, found.originalSource)}:${found.originalLine + 1}` : undefined;
}

function noFunction(path: string): LoadlineError {
  return new LoadlineError('E_JOIN_SCRIPT', 'The join script has no default export that is a function.', {
    where: `--join ${path}`,
    todo: 'begin it with: export default async ({ page, participant, session, role, env, signal }) => { … }',
  });
}

function refused(path: string, line: string | undefined, why: string): LoadlineError {
  return new LoadlineError('E_JOIN_SCRIPT', 'The join script cannot be loaded.', {
    where: line === undefined ? `--join ${path}` : `--join ${path}, ${line}`,
    why,
    todo: 'correct the script; loadline visit tries it with one participant',
  });
}
