import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { runCommandLine } from '../cli/command-line.js';
import { renderError } from '../cli/render-error.js';
import { openRun } from '../cli/report/open-run.js';
import { writeHtmlReport } from '../cli/report/write-html.js';
import { fakeProcess } from './cli/fake-process.js';
import { reportAssets } from './report-assets.js';

/** What a command told of a stored run. */
export interface Told {
  readonly exitCode: number;
  /** What was given out: on standard output, as a file, or as points that were sent. */
  readonly out: string;
  readonly stderr: string;
}

/** A way in which the tool tells of a stored run. */
export interface Telling {
  readonly name: string;
  tell(): Promise<Told>;
  /** Whether it refused to tell anything. */
  refuses(told: Told): boolean;
  /** The answer in it: what must stay the same also where something is named as missing. */
  answer(told: Told): string;
}

/**
 * Every way in which a stored run is told of. `other` is a run to compare with; `folder` holds both, and takes files.
 */
export async function tellingsOf(run: string, other: string, folder: string) {
  const taken: string[] = [];
  const assets = await reportAssets();
  const place = await placeForPoints(taken);
  const report = (format: string, ...more: readonly string[]) =>
    plain(format, ['report', run, '--format', format, ...more]);
  const page = join(folder, 'page.html');
  const tellings: readonly Telling[] = [
    { ...report('text'), answer: ({ out }) => firstLines(out) },
    { ...report('json'), answer: ({ out }) => answerInJson(out) },
    { ...report('junit'), answer: ({ out }) => firstLines(out) },
    { ...report('markdown'), answer: ({ out }) => firstLines(out) },
    { ...report('csv', '--trial', '2'), answer: ({ out }) => out.split('\n')[0] ?? '' },
    {
      ...report('html', '--out', page),
      tell: async () => {
        // As the command does it, which takes script and style from beside the build.
        try {
          const stored = await openRun(run);
          await writeHtmlReport(stored, page, assets);
          const stderr = stored.warnings.map((text) => `warning: ${text}\n`).join('');
          return { exitCode: 0, out: await readFile(page, 'utf8'), stderr };
        } catch (error) {
          const { exitCode, text } = renderError(error);
          return { exitCode, out: '', stderr: text };
        }
      },
      answer: ({ out }) => /<h1>.*<\/h1>/s.exec(out)?.[0] ?? 'no answer',
    },
    { ...plain('judge', ['judge', run]), answer: ({ out }) => out },
    { ...plain('compare', ['compare', run, other]), answer: ({ out }) => out },
    {
      ...plain('runs', ['runs', folder]),
      // The others are listed all the same.
      refuses: ({ out }) => new RegExp(`^ {2}${basename(run)}: \\S`, 'm').test(out),
      answer: ({ out }) => out.split('\n').find((line) => line.endsWith(basename(run))) ?? '',
    },
    {
      ...plain('export', ['export', run, '--influx', `http://127.0.0.1:${place.port}?db=loadline`]),
      // A request that is sent again sends the same points again, which are one in a database.
      tell: async () => {
        taken.length = 0;
        const told = await said(['export', run, '--influx', `http://127.0.0.1:${place.port}?db=loadline`]);
        return { ...told, out: told.exitCode === 0 ? [...new Set(taken)].sort().join('\n') : '' };
      },
      answer: ({ out }) =>
        out
          .split('\n')
          .filter((line) => /^loadline_(run|trial)[, ]/.test(line))
          .join('\n'),
    },
  ];
  return { tellings, close: place.close };
}

function plain(name: string, args: readonly string[]): Omit<Telling, 'answer'> {
  return {
    name,
    tell: () => said(args),
    refuses: ({ exitCode, stderr, out }) => exitCode === 2 && out === '' && stderr.includes('error E_RUN'),
  };
}

async function said(args: readonly string[]): Promise<Told> {
  const tool = fakeProcess({ args, workingFolder: '/' });
  const exitCode = await runCommandLine(tool);
  return { exitCode, out: tool.written.stdout(), stderr: tool.written.stderr() };
}

function firstLines(text: string): string {
  return text.trimStart().split('\n').slice(0, 2).join('\n');
}

function answerInJson(text: string): string {
  const { outcome, limit, headline } = JSON.parse(text) as Record<string, unknown>;
  return JSON.stringify({ outcome, limit, headline });
}

/** Takes lines as an InfluxDB 1.x does, and keeps them. */
async function placeForPoints(taken: string[]) {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    taken.push(...Buffer.concat(parts).toString().split('\n').filter(Boolean));
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}
