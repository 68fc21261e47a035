import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { reportBeside } from '../../cli/report/report-beside.js';
import { readRun } from '../../store/run-directory/read-run.js';
import { killed, recordedRun, storedSimulation, withRunFolder } from '../stored-runs.js';
import { fakeProcess } from './fake-process.js';
import { runHere } from './run-here.js';

const loadline = (...args: readonly string[]) => runHere(args);

/** Short windows: what is asked here is of files, not of media. */
const quick = { measureMs: 6000, settleMs: 3000, pacePerSecond: 50 };

/** No folder, and nobody can make it one: it would be below a device. */
const none = '/dev/null/none';

/** The recorded run is of a version that had no seals. */
const notSealed =
  'warning: This run is not sealed: it was stored by an earlier Loadline, and later changes would not show.\n';

test('text, JSON, JUnit and Markdown of a stored run are on standard output', async () => {
  const text = await loadline('report', recordedRun, '--format', 'text');
  expect(text.stdout.replace(/\s+/g, ' ')).toContain(
    ' embedded 0.1.0 holds 3 calls (6 probes) on 2 cores with an up-link of 3.93 Mbit/s, in 3 of 3 trials. ',
  );
  const { stdout: json } = await loadline('report', recordedRun, '--format', 'json');
  expect(JSON.parse(json)).toMatchObject({ outcome: 'found', limit: { stable: 3, unstable: 4 } });
  expect((await loadline('report', recordedRun, '--format', 'junit')).stdout).toMatch(
    /^<\?xml[\s\S]*<\/testsuites>\n$/,
  );
  expect((await loadline('report', recordedRun, '--format', 'markdown')).stdout).toContain('| one-to-one | 3 calls |');
});

test('CSV has every sample of the trial that was asked for, and no other', async () => {
  await withRunFolder(async (folder) => {
    const out = join(folder, 'samples.csv');
    await loadline('report', recordedRun, '--format', 'csv', '--trial', '2', '--out', out);
    const [head, ...lines] = (await readFile(out, 'utf8')).trimEnd().split('\n');
    const { value: samples } = await (await readRun(recordedRun)).readSamples(2);
    const metrics = samples.reduce(
      (sum, { legs, streams }) =>
        sum +
        legs.filter(({ rttMs }) => rttMs !== undefined).length +
        streams.reduce((count, stream) => count + Object.keys(stream.metrics).length, 0),
      0,
    );
    expect(head).toBe(
      'trial,size,probe,session,role,at_ms,interval_ms,late_ms,in_window,leg,direction,kind,metric,value,stream,from',
    );
    expect(lines).toHaveLength(metrics);
    expect(new Set(lines.map((line) => line.split(',')[0]))).toEqual(new Set(['2']));
  });
});

test('a killed run is reported as void, with what was known and what is torn', async () => {
  await withRunFolder(async (folder) => {
    const run = await killed(await storedSimulation(folder, { capacity: 2, seed: 5 }, { max: 4 }, quick));
    const { stdout, stderr, exitCode } = await loadline('report', run, '--format', 'text');
    expect(exitCode).toBe(0);
    expect(stdout.replace(/\s+/g, ' ')).toContain('The run did not come to its end. Known so far, not confirmed:');
    expect(stdout, 'how to go on, as one line').toContain(`\n      loadline simulate --resume ${run}\n`);
    expect(stderr).toMatch(/^warning: trials\.jsonl .* line \d+.*\n$/);
  });
});

test('what cannot be asked for is refused with what can, and exit 2', async () => {
  const refused = async (...args: readonly string[]) => {
    const { exitCode, stderr } = await loadline(...args);
    return `${exitCode} ${stderr.replace(notSealed, '').split('\n')[0]}`;
  };
  expect(await refused('report', recordedRun, '--format', 'pdf')).toBe(
    '2 error E_USAGE: --format must be html or text or line or json or csv or junit or markdown, not "pdf".',
  );
  expect(await refused('report', recordedRun, '--trial', '2')).toContain(
    '2 error E_USAGE: --trial without --format csv changes nothing',
  );
  expect(await refused('report', recordedRun, '--format', 'csv', '--trial', '99')).toContain(
    'has no trial 99: it has 1 to 7',
  );
  expect(await refused('report', recordedRun, '--format', 'json', '--out', `${none}/at/all`)).toContain(
    '2 error E_OUT',
  );
  expect(await refused('report', none)).toContain('2 error E_RUN');
  expect(await refused('compare', recordedRun)).toContain('2 error E_USAGE: One run alone cannot be compared.');
  expect(await refused('runs', none)).toContain('2 error E_RUN');
});

test('runs lists what a folder holds, the unfinished and the unreadable too', async () => {
  await withRunFolder(async (folder) => {
    await storedSimulation(folder, { capacity: 3, seed: 5 }, { max: 6 }, quick);
    await killed(await storedSimulation(folder, { capacity: 3, seed: 6 }, { max: 6 }, quick));
    await mkdir(join(folder, 'notes'));
    await mkdir(join(folder, 'spoiled'));
    await writeFile(join(folder, 'spoiled', 'manifest.json'), '{');
    const { stdout } = await loadline('runs', folder);
    expect(stdout).toMatch(/^2 runs in /);
    expect(stdout).toMatch(/ 3 calls, not 4 {2,}2026-11-21T14-03-12-one-to-one-simulated\n/);
    expect(stdout).toMatch(/ not finished {2,}2026-11-21T14-03-12-one-to-one-simulated-2\n/);
    expect(stdout).toMatch(/^ {2}started \(UTC\) {5}scenario {4}server {12}trials {2}answer +run$/m);
    expect(stdout).toContain('spoiled: manifest.json of the stored run cannot be understood.');
    const { stdout: json } = await loadline('runs', folder, '--format', 'json');
    expect(JSON.parse(json).runs).toHaveLength(2);
  });
});

test('compare says who holds more, and what else differs', async () => {
  await withRunFolder(async (folder) => {
    const simulated = await storedSimulation(folder, { capacity: 7, seed: 5 }, { max: 10 }, quick);
    const { stdout, exitCode } = await loadline('compare', recordedRun, simulated);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(' 1.75 to 2.67 times ');
    expect(stdout).toContain('chromium');
    const lower = await storedSimulation(join(folder, 'lower'), { capacity: 3, seed: 5 }, { max: 10 }, quick);
    const below = await loadline('compare', simulated, lower, '--fail-below', '95%');
    expect(below.exitCode).toBe(3);
    expect(below.stdout.replace(/\s+/g, ' ')).toContain('holds 3 calls, less than 95 % of the 7 calls of');
    expect((await loadline('compare', lower, simulated, '--fail-below', '95%')).exitCode).toBe(0);
    const unlike = await loadline('compare', simulated, recordedRun, '--fail-below', '95%');
    expect(unlike.exitCode).toBe(4);
    expect(unlike.stdout).toContain('cannot be said: ');
    const { stdout: json } = await loadline('compare', recordedRun, simulated, '--format', 'json');
    expect(JSON.parse(json).runs.map(({ stable }: { stable: number }) => stable)).toEqual([3, 7]);
  });
});

test('a report that cannot be written at the end of a run is said, and is no failure', async () => {
  const tool = fakeProcess();
  await reportBeside(recordedRun, tool, () => Promise.reject(new Error('ENOSPC: no space left on device')));
  expect(tool.written.stderr()).toContain('warning: report.html could not be written: ENOSPC');
  await reportBeside(none, tool);
  expect(tool.written.stderr()).toContain(`${none} is not the folder of a run.`);
});
