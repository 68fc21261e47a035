import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import type { Command } from 'commander';
import { reportDocument } from '../../analysis/report/document.js';
import { junit } from '../../analysis/report/junit.js';
import { markdown } from '../../analysis/report/markdown.js';
import { csvHead, csvLinesOf } from '../../analysis/report/samples-csv.js';
import { runLine } from '../../analysis/report/short-text.js';
import { summary } from '../../analysis/report/text.js';
import { LoadlineError } from '../../model/errors.js';
import { resultJsonSchema } from '../../model/result-schema.js';
import type { StoredRun } from '../../store/run-directory/read-run.js';
import { storeError } from '../../store/run-directory/store-error.js';
import { coloursOf, redrawsOn } from '../live/screen.js';
import { addFlags, type Flags, readFlags, type WordsOf } from '../options/flag.js';
import { trustFlags, trustOf } from '../options/trust-flag.js';
import { usageError } from '../options/usage-error.js';
import { count, word } from '../options/written.js';
import type { Output, ToolProcess } from '../process.js';
import { finishedRun } from '../report/finished-run.js';
import { openFile } from '../report/open-file.js';
import { namedRunFolder, openRun } from '../report/open-run.js';
import { writeHtmlReport } from '../report/write-html.js';

const formats = ['html', 'text', 'line', 'json', 'csv', 'junit', 'markdown'] as const;

const reportFlags = {
  ...trustFlags,
  format: { takes: 'format', about: formats.join(', '), value: word(formats), usual: 'html' },
  out: { takes: 'file', about: 'write to this file instead of standard output (html: instead of report.html)' },
  open: { about: 'show it in a browser', with: '--format html' },
  schema: { about: 'print the JSON schema of --format json and end' },
  trial: {
    about: 'the samples of this trial alone',
    value: count(),
    with: '--format csv',
    because: 'every other format shows all trials',
  },
} as const satisfies Flags;

type ReportWords = WordsOf<typeof reportFlags>;
type Format = (typeof formats)[number];

const help = `
html      one file that opens anywhere and loads nothing; into the run's folder, as report.html, unless --out says where
text      what find --verbose prints at its end
line      the answer in one line, as find --quiet prints it
json      the document of find --format json, with every size, what failing probes share, and the manifest
csv       every sample, one line for each metric of each stream and second
junit     a case for each limit and size, for build servers
markdown  the table "Scenario | Size" and what each size came to, for a pull request

Examples:
  loadline report runs/2026-11-21T14-03-12-one-to-one-embedded
  loadline report runs/2026-11-21T14-03-12-one-to-one-embedded --format junit --out limits.xml
  loadline report runs/2026-11-21T14-03-12-one-to-one-embedded --format csv --trial 4 > trial-4.csv`;

export function addReport(program: Command, tool: ToolProcess, onExitCode: (code: number) => void): void {
  const command = program
    .command('report')
    .summary('show a stored run: HTML, text, JSON, CSV, JUnit, Markdown')
    .description(
      'Makes a report of a stored run, of one that was stopped or killed, too. No browser and no media server is needed.',
    )
    .argument('[run]', 'the folder of a run, its name, a tag or latest');
  addFlags(command, reportFlags)
    .addHelpText('after', help)
    .action(async (path: string | undefined, flags: ReportWords) => {
      if (flags.schema) tool.stdout.write(`${JSON.stringify(resultJsonSchema(), null, 2)}\n`);
      else await report(path, flags, tool);
      onExitCode(0);
    });
}

async function report(path: string | undefined, words: ReportWords, tool: ToolProcess): Promise<void> {
  if (path === undefined) {
    const todo = 'name one: loadline report RUN; loadline runs lists them';
    throw usageError('No run was named.', ['loadline report'], todo);
  }
  const { format, trial, open = false, out: file } = readFlags(reportFlags, words);
  const out = file === undefined ? undefined : resolve(tool.workingFolder, file);
  const stored = await openRun(await namedRunFolder(path, tool), trustOf(words));
  for (const warning of stored.warnings) tool.stderr.write(`warning: ${warning}\n`);
  try {
    if (format === 'html') await html(stored, out ?? join(stored.directory, 'report.html'), open, tool);
    else if (format === 'csv') await csv(stored, trial, target(tool, out), tool);
    else await target(tool, out).end(textOf(stored, format, tool, out === undefined));
  } catch (error) {
    throw isFileError(error)
      ? storeError(error, out ?? stored.directory, 'the report cannot be written', out !== undefined)
      : error;
  }
}

async function html(stored: StoredRun, path: string, open: boolean, tool: ToolProcess): Promise<void> {
  await writeHtmlReport(stored, path);
  tool.stdout.write(`${path}\n`);
  if (open) await openFile(path, tool);
}

function textOf(
  stored: StoredRun,
  format: Exclude<Format, 'html' | 'csv'>,
  tool: ToolProcess,
  onScreen: boolean,
): string {
  const run = finishedRun(stored);
  switch (format) {
    case 'text':
      return onScreen ? summary(run, coloursOf(redrawsOn(tool.stdout, tool.env))) : summary(run);
    case 'line':
      return `${runLine(run)}\n`;
    case 'json':
      return `${JSON.stringify(reportDocument(run, stored.warnings), null, 2)}\n`;
    case 'junit':
      return junit(run);
    case 'markdown':
      return markdown(run);
  }
}

async function csv(stored: StoredRun, trial: number | undefined, to: Target, tool: ToolProcess): Promise<void> {
  const records = stored.records.filter(({ index }) => trial === undefined || index === trial);
  if (records.length === 0) {
    const there = stored.records.length === 0 ? 'it has none' : `it has 1 to ${stored.records.length}`;
    const todo = 'loadline report RUN --format text lists what is there';
    throw usageError(`The run has no trial ${trial ?? 1}: ${there}.`, [stored.directory], todo);
  }
  // Read once before: a file that was changed is refused before a line of it is given out.
  for (const { index } of records) await stored.visitSamples(index, () => undefined);
  await to.write(csvHead);
  for (const record of records) {
    const linesOf = csvLinesOf(record);
    const torn = await stored.visitSamples(record.index, (samples) => to.write(samples.map(linesOf).join('')));
    if (torn !== undefined) tool.stderr.write(`warning: ${torn}\n`);
  }
  await to.end('');
}

/** Standard output or a file; both make the writer wait when they are full. */
interface Target {
  write(text: string): Promise<void>;
  end(text: string): Promise<void>;
}

function target({ stdout }: ToolProcess, out: string | undefined): Target {
  return out === undefined ? outputTarget(stdout) : fileTarget(createWriteStream(out));
}

function outputTarget(output: Output): Target {
  const write = async (text: string) => {
    output.write(text);
    await output.drained?.();
  };
  return { write, end: write };
}

function fileTarget(file: Writable): Target {
  const write = (text: string) =>
    new Promise<void>((done, fail) => {
      file.write(text, (error) => (error ? fail(error) : done()));
    });
  const failed = new Promise<never>((_, fail) => file.once('error', fail));
  failed.catch(() => undefined);
  return {
    write: (text) => Promise.race([write(text), failed]),
    end: async (text) => {
      await Promise.race([write(text), failed]);
      await new Promise<void>((done) => file.end(done));
    },
  };
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && !(error instanceof LoadlineError) && 'syscall' in error;
}
