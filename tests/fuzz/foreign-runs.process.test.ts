import { statSync } from 'node:fs';
import {
  appendFile,
  chmod,
  chown,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getuid } from 'node:process';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { runHere } from '../cli/run-here.js';
import { runLoadline } from '../cli/run-loadline.js';
import { recordedRun, withRunFolder } from '../stored-runs.js';

// Each runs every command that reads a run.
test.describe.configure({ timeout: 120_000 });

/** What every command that reads a stored run is given. */
const readers: readonly (readonly string[])[] = [
  ['report', 'RUN'],
  ...['text', 'json', 'csv', 'junit', 'markdown'].map((format) => ['report', 'RUN', '--format', format]),
  ...[
    ['judge', 'RUN'],
    ['compare', 'RUN', 'RUN'],
    ['capacity', 'RUN', '--for', '20 calls'],
    ['export', 'RUN', '--influx', 'http://127.0.0.1:1?db=loadline'],
  ],
  ...[
    ['runs', 'FOLDER'],
    ['runs', 'FOLDER', '--format', 'csv'],
    ['find', '--resume', 'RUN'],
  ],
];

/** A run of somebody else, with something in it, and one secret file and folder beside it. */
async function withForeignRun(
  change: (run: string, beside: string) => Promise<void>,
  work: (run: string, folder: string, beside: string) => Promise<void>,
): Promise<void> {
  await withRunFolder(async (folder) => {
    const [runs, beside] = [join(folder, 'runs'), join(folder, 'beside')];
    const run = join(runs, '2026-11-21T14-03-12-one-to-one-embedded');
    await mkdir(beside);
    await writeFile(join(beside, 'secret'), 'root:x:0:0');
    await cp(recordedRun, run, { recursive: true });
    await change(run, beside);
    await work(run, runs, beside);
  });
}

async function everyCommand(
  run: string,
  folder: string,
): Promise<readonly { readonly stderr: string; readonly stdout: string }[]> {
  const ended = [];
  for (const words of readers) {
    ended.push(await runHere(words.map((word) => word.replace('RUN', run).replace('FOLDER', folder))));
  }
  return ended;
}

async function inManifest(run: string, change: (manifest: Record<string, never>) => void): Promise<void> {
  const path = join(run, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  change(manifest);
  await writeFile(path, JSON.stringify(manifest));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

test('no control character of a foreign run reaches a terminal, a pipe or a report', () =>
  withForeignRun(
    async (run) => {
      const said = '\u001b]0;owned\u0007\u001b[31m\u009b5n\r\u202e';
      await inManifest(run, (manifest: Record<string, Record<string, unknown>>) => {
        Object.assign(manifest.server ?? {}, { name: said, version: said });
        Object.assign(manifest, { tags: [said], loadline: said });
      });
      const trials = join(run, 'trials.jsonl');
      const lines = (await readFile(trials, 'utf8'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      for (const record of lines) {
        for (const reason of record.verdict.reasons) reason.text = said;
        for (const probe of record.probes) for (const failure of probe.failures) failure.detail = said;
        record.why = said;
      }
      await writeFile(trials, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      await rm(join(run, 'result.json'));
    },
    async (run, folder) => {
      const seen = (await everyCommand(run, folder)).flatMap(({ stdout, stderr }) => [stdout, stderr]);
      expect(seen.filter((text) => controls.test(text))).toEqual([]);
      await runLoadline(['report', run]);
      expect(controls.test((await readFile(join(run, 'report.html'), 'utf8')).replaceAll('\r\n', ''))).toBe(false);
      expect(seen.join('')).toContain('owned');
    },
  ));

test('names in a foreign run that a terminal would obey are refused, and shown as plain text', () =>
  withForeignRun(
    (run) => writeFile(join(run, 'samples', 'a\r\u001b[2Kb'), ''),
    async (run, folder) => {
      const odd = join(folder, '2026\r\u001b[2K\nowned');
      for (const name of [run, odd]) {
        const seen = await everyCommand(name, folder);
        expect(seen.filter(({ stdout, stderr }) => controls.test(`${stdout}${stderr}`))).toEqual([]);
        expect(seen[0]?.stderr).toContain('its name has control characters');
        if (name === run) await rename(run, odd);
      }
    },
  ));

for (const name of [
  'manifest.json',
  'trials.jsonl',
  'result.json',
  'samples/trial-001.jsonl.gz',
  'report.html',
  'report.html.new',
  'lock-1',
]) {
  test(`a link for ${name} in a foreign run is neither read nor written through`, () =>
    withForeignRun(
      async (run, beside) => {
        await rm(join(run, name), { force: true });
        await symlink(join(beside, 'secret'), join(run, name));
      },
      async (run, folder, beside) => {
        const ended = await everyCommand(run, folder);
        expect(ended.filter(({ stderr, stdout }) => `${stderr}${stdout}`.includes('root:x'))).toEqual([]);
        expect(await readFile(join(beside, 'secret'), 'utf8')).toBe('root:x:0:0');
        expect(await readdir(beside)).toEqual(['secret']);
        expect(ended[0]?.stderr).toContain('it is a link, a pipe or a device');
      },
    ));
}

test('nothing that a foreign plan names is run, whatever command reads it', () =>
  withForeignRun(
    async (run, beside) => {
      const script = join(beside, 'join.mjs');
      await writeFile(
        script,
        `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(join(beside, 'ran'))}, ''); export default () => {};`,
      );
      const touch = `touch ${join(beside, 'ran')}; echo A`;
      const member = (name: string) => ({
        name,
        server: { kind: 'kurento', url: `kurento://127.0.0.1:1/${name}`, restartCommand: touch },
      });
      await inManifest(run, (manifest: Record<string, Record<string, unknown>>) => {
        const server = { kind: 'cluster', members: [member('A'), member('B')], placement: 'command', placer: touch };
        const drill = { kind: 'lose-host', command: touch };
        const players = { kind: 'visiting', join: script };
        Object.assign(manifest.plan ?? {}, { server, drill, players, load: { by: 'sessions' } });
        Object.assign(manifest, { command: ['loadline', 'find', 'one-to-one'] });
      });
    },
    async (run, folder, beside) => {
      const resume = (await everyCommand(run, folder)).at(-1);
      expect(await readdir(beside)).toEqual(['join.mjs', 'secret']);
      expect(resume?.stderr).toContain(
        'error E_RESUME: What the stored run would run or log in to has to be given again.',
      );
      for (const flag of ['--reset-command', '--placer', '--drill-command', '--join'])
        expect(resume?.stderr).toContain(flag);
    },
  ));

test('a run of another user is refused by every command, and read where its user is trusted', async () => {
  test.skip(getuid?.() !== 0, 'root alone can make what belongs to somebody else');
  await withForeignRun(
    (run) => chown(join(run, 'trials.jsonl'), 12_345, 12_345),
    async (run, folder) => {
      const ended = await everyCommand(run, folder);
      const told = ended.filter(({ stdout, stderr }) =>
        `${stdout}${stderr}`.includes('The stored run belongs to another user'),
      );
      const silent = ended.flatMap((one, nth) => (told.includes(one) ? [] : [readers[nth]?.join(' ')]));
      expect(silent).toEqual([]);
      expect((await runHere(['report', run, '--format', 'text', '--trust-run'])).exitCode).toBe(0);
      expect((await readdir(run)).some((name) => name.includes('lock'))).toBe(false);
    },
  );
});

for (const { what, modes, isRead } of [
  { what: 'a file that everybody can write', modes: { 'trials.jsonl': 0o666 }, isRead: false },
  { what: 'a folder that everybody can write to', modes: { samples: 0o777 }, isRead: false },
  { what: 'all of it open to everybody', modes: { '.': 0o777 }, isRead: false },
  { what: 'modes of a umask of 002', modes: { '.': 0o775, samples: 0o775, 'trials.jsonl': 0o664 }, isRead: true },
  { what: 'a sticky folder', modes: { '.': 0o1777 }, isRead: true },
  { what: 'a folder that lets nobody else in', modes: { '.': 0o700, 'trials.jsonl': 0o666 }, isRead: true },
]) {
  test(`a run with ${what} is ${isRead ? 'read' : 'refused by every command, unless it is trusted'}`, () =>
    withForeignRun(
      async (run, beside) => {
        const temporary = dirname(dirname(beside));
        const isOpen = [temporary, dirname(temporary)].every((folder) => (statSync(folder).mode & 1) === 1);
        test.skip(!isOpen, 'temporary files are where nobody else may enter');
        for (let folder = run; folder !== temporary; folder = dirname(folder)) await chmod(folder, 0o755);
        for (const [name, mode] of Object.entries(modes)) await chmod(join(run, name), mode);
      },
      async (run, folder) => {
        const told = (await everyCommand(run, folder)).map(({ stdout, stderr }) =>
          `${stdout}${stderr}`.includes('Everybody on this machine can change the stored run'),
        );
        expect(told).toEqual(readers.map(() => !isRead));
        expect((await runHere(['report', run, '--format', 'text', '--trust-run'])).exitCode).toBe(0);
      },
    ));
}

test('a link in a closed folder does not close a run that everybody can write to', () =>
  withForeignRun(
    async (run, beside) => {
      const temporary = dirname(dirname(beside));
      const isOpen = [temporary, dirname(temporary)].every((folder) => (statSync(folder).mode & 1) === 1);
      test.skip(!isOpen, 'temporary files are where nobody else may enter');
      for (let folder = run; folder !== temporary; folder = dirname(folder)) await chmod(folder, 0o755);
      await chmod(run, 0o777);
    },
    async (run, _, beside) => {
      const closed = join(beside, 'closed');
      await mkdir(closed, { mode: 0o700 });
      await symlink(run, join(closed, 'run'));
      const { exitCode, stderr } = await runHere(['report', join(closed, 'run'), '--format', 'text']);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining('E_RUN_FOREIGN')]);
    },
  ));

test('files that unpack to far more than they are, and lines without an end, are told and not read to their end', () =>
  withForeignRun(
    async (run) => {
      const line = `${JSON.stringify({ of: 'server', atMs: 1 })}\n`;
      await writeFile(join(run, 'evidence', 'trial-001.jsonl.gz'), gzipSync(Buffer.alloc(40_000_000, line)));
      await writeFile(join(run, 'samples', 'trial-002.jsonl.gz'), gzipSync(Buffer.alloc(40_000_000, 'x')));
    },
    async (run) => {
      const { stderr } = await runHere(['judge', run]);
      expect(stderr).toContain('error E_RUN: A file of the stored run holds more than is read of a run.');
      expect(stderr).not.toContain('E_INTERNAL');
    },
  ));

const mostMemoryMb = 300;

/** What each makes of a run's folder, and which commands read it. */
const swollen: readonly {
  readonly what: string;
  readonly readers: readonly ('report' | 'compare' | 'runs')[];
  readonly swell: (run: string) => Promise<void>;
}[] = [
  {
    what: '4 million short lines of evidence',
    readers: ['report'],
    swell: async (run) => {
      const lines = Array.from({ length: 100_000 }, (_, nth) => `{"of":"server","atMs":${nth}}\n`).join('');
      await writeFile(join(run, 'evidence', 'trial-001.jsonl.gz'), gzipSync(lines.repeat(40), { level: 1 }));
    },
  },
  {
    what: 'evidence that nests',
    readers: ['report'],
    swell: async (run) => {
      const line = `{"of":"server","atMs":1,"x":[${'[],'.repeat(1000)}0]}\n`;
      await writeFile(join(run, 'evidence', 'trial-001.jsonl.gz'), gzipSync(line.repeat(20_000), { level: 1 }));
    },
  },
  {
    what: '250 MB of trials',
    readers: ['report', 'compare', 'runs'],
    swell: async (run) => {
      const path = join(run, 'trials.jsonl');
      const trials = await readFile(path);
      for (let bytes = trials.length; bytes < 250_000_000; bytes += 20 * trials.length)
        await appendFile(path, Buffer.concat(Array.from({ length: 20 }, () => trials)));
    },
  },
  {
    what: 'a trial that nests',
    readers: ['report', 'compare', 'runs'],
    swell: async (run) => {
      const path = join(run, 'trials.jsonl');
      const [first = '', ...others] = (await readFile(path, 'utf8')).split('\n');
      const nested = `${first.slice(0, -1)},"x":[${'[],'.repeat(10_000_000)}0]}`;
      await writeFile(path, [nested, ...others].join('\n'));
    },
  },
  {
    what: 'a manifest that nests',
    readers: ['report', 'compare', 'runs'],
    swell: (run) =>
      inManifest(run, (manifest) => Object.assign(manifest, { x: Array.from({ length: 2_500_000 }, () => []) })),
  },
  {
    what: '40 million empty lines of what was kept of failed probes',
    readers: ['report'],
    swell: async (run) => {
      await mkdir(join(run, 'artifacts'));
      await writeFile(join(run, 'artifacts', 'trial-003.jsonl'), '\n'.repeat(40_000_000));
    },
  },
];

for (const { what, readers: commands, swell } of swollen) {
  test(`${what}: the error is one, and it takes little memory`, () =>
    withForeignRun(swell, async (run, folder) => {
      const words = { report: ['report', run], compare: ['compare', run, recordedRun], runs: ['runs', folder] };
      for (const command of commands) {
        const { exitCode, stdout, stderr, memoryMb } = await measured(words[command]);
        // A list says why a run is not in it; where it is the only one, nothing could be read.
        expect([command, exitCode]).toEqual([command, 2]);
        const told = command === 'runs' ? stdout : stderr;
        expect(told).toContain('A file of the stored run holds more than is read of a run.');
        expect(told.match(/E_[A-Z]+/g) ?? []).toEqual(command === 'runs' ? [] : ['E_RUN']);
        expect(memoryMb).toBeLessThan(mostMemoryMb);
      }
    }));
}

test('a run that is larger is read where it is trusted', () =>
  withForeignRun(
    async (run) => {
      const lines = Array.from({ length: 410_000 }, (_, nth) => `{"of":"server","atMs":${nth}}\n`).join('');
      await writeFile(join(run, 'evidence', 'trial-001.jsonl.gz'), gzipSync(lines));
    },
    async (run) => {
      expect((await runHere(['judge', run])).exitCode).toBe(2);
      expect((await runHere(['judge', run, '--trust-run'])).exitCode).toBe(0);
    },
  ));

test('times, streams and hosts beyond any measure take neither long nor much memory', () =>
  withForeignRun(
    async (run) => {
      const at = (name: string, nth: number) => join(run, name, `trial-00${nth}.jsonl.gz`);
      const written = (path: string, lines: number, line: (nth: number) => object) =>
        writeFile(path, gzipSync(Array.from({ length: lines }, (_, nth) => `${JSON.stringify(line(nth))}\n`).join('')));
      const sample = { probe: '1a', atMs: 1, intervalMs: 1000, lateMs: 1, legs: [] };
      const stream = { leg: '1a', direction: 'receive', kind: 'audio' };
      await written(at('samples', 3), 100_000, (nth) => {
        const metrics = { packetsReceived: nth };
        return { ...sample, atMs: nth, streams: [{ ...stream, leg: `${nth}`, metrics }] };
      });
      await written(at('samples', 4), 1000, (nth) => {
        const metrics = { packetsReceived: 100 * nth, packetsLost: nth };
        return { ...sample, atMs: nth * 1e13, streams: [{ ...stream, metrics }] };
      });
      await written(at('samples', 5), 400_000, (nth) => ({ ...sample, atMs: nth * 1e6, streams: [] }));
    },
    async (run) => {
      const { exitCode, memoryMb } = await measured(['report', run]);
      expect(exitCode).toBe(0);
      expect(memoryMb).toBeLessThan(mostMemoryMb);
      const host = { of: 'probe-host', atMs: 1, cores: 2, busyCores: 1, stealCores: 0, probeCores: 1 };
      const lines = Array.from({ length: 50_000 }, (_, nth) => `${JSON.stringify({ ...host, host: `${nth}` })}\n`);
      await writeFile(join(run, 'evidence', 'trial-001.jsonl.gz'), gzipSync(lines.join('')));
      expect((await measured(['report', run])).stderr).toContain('it is of more than 1000 probe hosts');
      const trials = join(run, 'trials.jsonl');
      await writeFile(trials, (await readFile(trials, 'utf8')).replace(/"endMs":\d+/, '"endMs":5e15'));
      expect((await measured(['report', run])).stderr).toContain('further apart than any trial is long');
    },
  ));

/** Runs the built command line to its end; with how much of memory it had at most (getrusage(2), ru_maxrss). */
async function measured(words: readonly string[]) {
  return await withRunFolder(async (folder) => {
    const file = join(folder, 'memory');
    const telling = `import { writeFileSync } from 'node:fs';
      process.on('exit', () => writeFileSync(${JSON.stringify(file)}, String(process.resourceUsage().maxRSS)));`;
    const preload = `data:text/javascript,${encodeURIComponent(telling)}`;
    const ended = await runLoadline(words, { NODE_OPTIONS: `--import ${preload}` });
    return { ...ended, memoryMb: Number(await readFile(file, 'utf8')) / 1024 };
  });
}
