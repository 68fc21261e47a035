import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { unreadFile } from '../../model/file-refusal.js';
import { recordedRun } from '../stored-runs.js';
import { runHere } from './run-here.js';

const url = 'https://meet.example/{session}';

/** What each wrong call is told: why it is wrong, and what to write. `_` stands for a space in a word. */
const calls: readonly (readonly [words: string, ...says: string[]])[] = [
  [`visit --url ${url} --users 5`, 'not "5"', '--members 5 instead of --users'],
  [`plan visit --url ${url} --users 5`, 'not "5"', '--max of a search', 'leave --users out'],
  ['monitor report --last 24', 'with its unit', 'give --last 24h'],
  ['monitor report --last 7days', 'with its unit', 'give --last 168h'],
  [`report ${recordedRun} --format text --out a-folder`, 'a-folder/NAME'],
  [`report ${recordedRun} --format text --out not/there`, 'make the folder'],
  ['runs . --out not/there', 'make the folder'],
  ['plan one-to-one --egress-limit 3mbps', 'with its unit', 'give --egress-limit 3mbit'],
  ['plan one-to-one --egress-limit 3,5Mbit/s', 'with its unit', 'give --egress-limit 3.5mbit'],
  ['plan one-to-one --egress-limit 0mbit', 'above zero'],
  [`plan visit --url ${url} --join none.mjs`, 'there is no such file', 'none.mjs', '--join FILE'],
  [`plan visit --url ${url} --library a-folder`, 'it is a folder', '--library FILE'],
  ['plan one-to-one --bitrate 500', 'write --video-kbps'],
  ['plan one-to-one --json', 'give --format json'],
  ['plan one-to-one --no-video', 'write --audio-only'],
  ['plan one-to-one --wait', 'do      see loadline plan --help'],
  ['plan one-to-one --wait --bitrate 500', '"--wait"', '"--bitrate"', 'write --video-kbps'],
  ['plan one-to-one --threshold --max 2', '--threshold needs a value, and --max stands in its place'],
  ['plan one-to-one --ice-restart --max 2', '--ice-restart needs a value'],
  ['try one-to-one 4', 'write --size 4 instead of 4'],
  ['serve --delay 150', 'give --delay 150ms'],
  ['hots', 'write host'],
  ['plan one-to-one --server kurento:/10.0.0.7', '--server kurento://10.0.0.7'],
  ['plan one-to-one --server kurento', '--server kurento://10.0.0.5:8888'],
  ['plan one-to-one --server kurento://a,kurento://b', 'give --server kurento://a --server kurento://b'],
  ['plan one-to-one --server livekit://a --reset restart', 'not for a LiveKit', 'released before each trial'],
  [`plan one-to-one --url ${url}`, 'measure visit\n'],
  ['plan one-to-one --each', '--each is for several servers', 'leave --each out'],
  ['plan sfu-audio-room --draw-marks', '--draw-marks is not for sfu-audio-room', 'nobody there sends pictures'],
  ['plan one-to-one --muted 90%', 'do      give --muted 50%\n'],
  ['plan one-to-one --servers servers.yaml', 'servers.yaml, server b, egressLimit', 'leave egressLimit out there'],
  ['plan against.yaml', 'leave --egress-limit out', 'give --from 8'],
  ['study over.yaml --dry-run', 'one-to-one has none'],
  ['find a.yaml b.yaml', 'takes one scenario, and not b.yaml', 'leave b.yaml out'],
  ['plan ./a-folder', 'plan file ./a-folder', 'it is a folder'],
  ['plan none.yaml', 'there is no such file', 'none.yaml'],
  ['monitor monitor.yaml', 'the watch night, simulate: --capacity', 'not "x"', '--capacity 4'],
  ['judge', 'loadline judge <run>', 'the folder of a run'],
  ['host', '--bus nats://10.0.0.5:4222'],
  ['try one-to-one --size', 'needs a value', '--size 4'],
  ['capacity latest', "--for '10000 viewers'"],
  ['demo x', 'takes flags alone', 'leave x out'],
  ['monitor report x', 'loadline monitor report takes flags alone', 'loadline monitor report --help'],
  ['demo --out /proc/none', '/proc/none', 'name a folder'],
  ['monitor good.yaml --out /proc/none', '/proc/none', 'name a folder'],
  ['plan one-to-one --threshold vide.loss_<=_5%', 'did you mean video?'],
  ['plan one-to-one --threshold video.loss_<=_1,5%', 'write a point: 1.5'],
  ['plan one-to-one --threshold video.loss_<=_200%', 'no more than 100%'],
  ['plan one-to-one --threshold video.loss_<=_1%_and_fps_>=_3', 'an expression of its own'],
  ['plan one-to-one --label a=b=c', 'value of --label a', 'not "b=c"', '--label a=eu'],
  ['plan one-to-one --label a=1 --label a=2', 'leave --label a=2 out'],
  ['simulate one-to-one --tag latest', 'names the newest run', '--tag v2.3'],
  ['judge none', 'No run is called none', 'loadline runs'],
  ['report latest', 'There is no latest run', 'loadline find'],
  [`capacity ${recordedRun} --for 9_calls/h_of_4`, '"4" in "9 calls/h of 4"', "'9 calls/h of 4m'"],
  [`capacity ${recordedRun} --for 9_calls --region eu=40%`, '40.0 %', 'give --region eu=40% --region other=60%'],
  [`capacity ${recordedRun} --for 9_calls --ports 0`, 'not "0"', '--ports 10000'],
  [`capacity ${recordedRun} --for 9_calls --link 10`, 'with its unit', 'give --link 10gbit'],
  [`capacity ${recordedRun} --for 9_calls --months 5`, 'changes nothing', 'write for example --growth 5%'],
  [`capacity ${recordedRun} --for 9_calls --growth 5`, 'not "5"', 'write for example --growth 5%'],
  ['calibrate --bus-creds file', 'changes nothing', 'write for example --hosts nats://'],
  ['calibrate --hosts local:3', 'processes of this machine', 'leave --hosts out'],
  ['host --bus nats://10.0.0.5:4222 --allow 300.0.0.1', 'not "300.0.0.1"', '--allow 10.0.0.0/24'],
  ['plan a.yaml --plan b.yaml', 'Two plan files', 'leave a.yaml out'],
  ['simulate one-to-one --size 80%', 'share of the last limit', "--size '80% of limit'"],
  ['try one-to-one --size 800%_of_limit', 'up to 100%', "--size '100% of limit'"],
  ['study study.yaml --dry-run --against none', 'holds no study', 'name the folder of a study'],
  [`visit --url ${url} --sessions 5`, 'Unknown option "--sessions"', 'do      see loadline visit --help'],
  ['export latest --prometheus http://h:9090', 'write --prometheus-remote-write'],
];

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-wrong-calls-'));
  mkdirSync(join(folder, 'a-folder'));
  for (const name of ['a.yaml', 'b.yaml']) writeFileSync(join(folder, name), 'scenario: one-to-one\n');
  const watching = (capacity: string) =>
    `watches: [{ name: night, cron: "@daily", size: 2, simulate: one-to-one --capacity ${capacity} }]\n`;
  writeFileSync(join(folder, 'monitor.yaml'), watching('x'));
  writeFileSync(join(folder, 'good.yaml'), watching('4'));
  writeFileSync(
    join(folder, 'servers.yaml'),
    'servers:\n  - server: kurento://a\n  - { server: kurento://b, name: b, egressLimit: 3mbit }\n',
  );
  writeFileSync(
    join(folder, 'against.yaml'),
    'scenario: one-to-one\nfrom: 9\nmax: 8\nserver: kurento://a\negressLimit: 3mbit\n',
  );
  writeFileSync(
    join(folder, 'over.yaml'),
    'scenarios: [one-to-one]\nservers: [{ name: a, simulate: { capacity: 4 } }]\nover: { roomSize: 2..10 }\n',
  );
  writeFileSync(
    join(folder, 'study.yaml'),
    'scenarios: [one-to-one]\nservers: [{ name: a, simulate: { capacity: 4 } }]\n',
  );
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

for (const [words, ...says] of calls) {
  test(`loadline ${words.replace(recordedRun, 'RUN')} is told why it is wrong, and what to write`, async () => {
    const before = readdirSync(folder);
    const args = words.split(' ').map((word) => word.replaceAll('_', ' '));
    const { exitCode, stdout, stderr } = await runHere(args, { workingFolder: folder });
    expect([exitCode, stdout], stderr).toEqual([2, '']);
    for (const one of says) expect(stderr).toContain(one);
    expect(readdirSync(folder)).toEqual(before);
  });
}

test('a file that may not be read is told as that, and not as one that is not there', () => {
  const { why, todo } = unreadFile(Object.assign(new Error('EACCES'), { code: 'EACCES', path: '/p.yaml' }), 'name one');
  expect(why).toContain('may not read it: /p.yaml');
  expect(todo).not.toContain('name one');
});

test('a folder without runs is told with what to name or to make', async () => {
  const { exitCode, stdout } = await runHere(['runs', 'a-folder'], { workingFolder: folder });
  expect(exitCode).toBe(0);
  for (const one of [join(folder, 'a-folder'), 'loadline runs DIR', 'loadline demo']) expect(stdout).toContain(one);
});

for (const words of [
  'one-to-one --see 2 --threshold video.ssim_>=_0.9',
  'one-to-one --draw-marks --threshold foreign_<=_1% --threshold shown.p95_<=_1s',
  'one-to-one --media native --threshold delay.p95_<=_200ms',
  'one-to-one --data 10 --no-record --threshold received.data.delay.p95_<=_1s',
  'one-to-one --audio-only --threshold loss.mean_<=_1%',
  'sfu-group --simulcast --resolution 1280x720 --video-kbps 2500 --layer low --threshold belowLayer_<=_5%',
  'agent-room --media native --threshold answer.p95_<=_2s',
  'one-to-one --camera-off 50% --threshold video.loss_<=_1%',
  'one-to-one --by arrivals --media none --sentinels 4 --threshold video.loss_<=_1%',
]) {
  test(`a limit on what is measured is taken: plan ${words}`, async () => {
    const { exitCode, stderr } = await runHere(['plan', ...words.split(' ').map((word) => word.replaceAll('_', ' '))]);
    expect([exitCode, stderr]).toEqual([0, '']);
  });
}
