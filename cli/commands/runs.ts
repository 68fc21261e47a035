import { access } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { type ListedRun, runListCsv, runListDocument, runListText } from '../../analysis/report/run-list.js';
import { compareText } from '../../analysis/wording/wording.js';
import { writeWholeFile } from '../../host/whole-file.js';
import { ledgerPage } from '../../report/ledger-page.js';
import { listRuns } from '../../store/run-directory/list-runs.js';
import type { RunTrust } from '../../store/run-directory/own-run.js';
import { storeError } from '../../store/run-directory/store-error.js';
import { addFlags, type Flags, readFlags, type WordsOf } from '../options/flag.js';
import { trustFlags, trustOf } from '../options/trust-flag.js';
import { word } from '../options/written.js';
import type { ToolProcess } from '../process.js';
import { withAnswer } from '../report/finished-run.js';
import { openRun } from '../report/open-run.js';
import { builtAssets, runsScript } from '../report/write-html.js';
import { loadlineVersion } from '../version.js';

const help = `
Examples:
  loadline runs
  loadline runs /srv/load-tests --format json
  loadline runs runs /srv/load-tests/* --format html --out limits.html`;

interface FoundRun extends ListedRun {
  readonly directory: string;
}

const runsFlags = {
  ...trustFlags,
  format: {
    takes: 'format',
    about: 'text, json, csv or html',
    value: word(['text', 'json', 'csv', 'html']),
    usual: 'text',
  },
  out: { takes: 'file', about: 'write to this file instead of standard output' },
} as const satisfies Flags;

export function addRuns(program: Command, tool: ToolProcess, onExitCode: (code: number) => void): void {
  const command = program
    .command('runs')
    .summary('list stored runs')
    .description('Lists the runs of one folder or several, with the answer of each; as a page, limits over time.')
    .argument('[dirs...]', 'folders that --out names (default: runs)');
  addFlags(command, runsFlags)
    .addHelpText('after', help)
    .action(async (dirs: readonly string[], flags: WordsOf<typeof runsFlags>) => {
      const { format, out: file } = readFlags(runsFlags, flags);
      const out = file === undefined ? undefined : resolve(tool.workingFolder, file);
      const asked = dirs.length === 0 ? ['runs'] : dirs;
      const { runs, unreadable } = await readFolders(asked, trustOf(flags), tool);
      const texts = {
        text: async () =>
          runListText(runs, unreadable, asked.map((dir) => resolve(tool.workingFolder, dir)).join(', ')),
        json: async () => `${JSON.stringify(runListDocument(runs, unreadable), null, 2)}\n`,
        csv: async () => runListCsv(runs),
        html: async () =>
          ledgerPage(
            {
              runs,
              unreadable,
              reportOf: await reportsOf(runs, out === undefined ? tool.workingFolder : dirname(out)),
            },
            { style: (await builtAssets()).style, version: loadlineVersion(), script: await runsScript() },
          ),
      };
      const text = await texts[format]();
      if (out === undefined) tool.stdout.write(text);
      else await written(out, text);
      // What is not in a table is said beside it.
      for (const { name, why } of format === 'csv' ? unreadable : []) tool.stderr.write(`warning: ${name}: ${why}\n`);
      // Nothing could be read of what is there: that is no empty list.
      onExitCode(runs.length === 0 && unreadable.length > 0 ? 2 : 0);
    });
}

async function written(path: string, text: string): Promise<void> {
  try {
    await writeWholeFile(path, [text]);
  } catch (error) {
    throw storeError(error, path, 'the list cannot be written', true);
  }
}

/** Links from a page in this folder to the reports that lie beside the runs. */
async function reportsOf(runs: readonly FoundRun[], from: string): Promise<(run: ListedRun) => string | undefined> {
  const found = await Promise.all(
    runs.map(async ({ name, directory }) => {
      const report = join(directory, 'report.html');
      const there = await access(report).then(
        () => true,
        () => false,
      );
      return there ? [[name, relative(from, report)] as const] : [];
    }),
  );
  const links = new Map(found.flat());
  return ({ name }) => links.get(name);
}

/** Runs of one folder have their names; of several, the folder as it was given stands first. By time, then name. */
async function readFolders(dirs: readonly string[], trust: RunTrust, { workingFolder }: ToolProcess) {
  const folders = await Promise.all(
    dirs.map(async (dir) => {
      const { runs, unreadable } = await listRuns(resolve(workingFolder, dir), async (directory) =>
        withAnswer(await openRun(directory, trust)),
      );
      const named = <Named extends { readonly name: string }>(one: Named): Named =>
        dirs.length === 1 ? one : { ...one, name: join(dir, one.name) };
      const found = runs.map((run): FoundRun => ({ ...named(run), directory: resolve(workingFolder, dir, run.name) }));
      return { runs: found, unreadable: unreadable.map(named) };
    }),
  );
  const [only, ...others] = folders;
  if (only && others.length === 0) return only;
  const runs = folders.flatMap((folder) => folder.runs);
  runs.sort((a, b) => compareText(a.manifest.startedAt, b.manifest.startedAt) || compareText(a.name, b.name));
  return { runs, unreadable: folders.flatMap((folder) => folder.unreadable) };
}
