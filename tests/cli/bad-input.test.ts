import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { expectOneError } from './one-error.js';
import { runHere } from './run-here.js';

interface BadInput {
  readonly args: string;
  readonly code: string;
  /** Words that standard error must have beside the code. */
  readonly says: readonly string[];
}

const refused: readonly BadInput[] = [
  { args: 'fnd one-to-one', code: 'E_USAGE', says: ['fnd', 'write find, or see'] },
  { args: 'frobnicate', code: 'E_USAGE', says: ['frobnicate', 'loadline --help'] },
  { args: '--frobnicate', code: 'E_USAGE', says: ['--frobnicate'] },
  { args: 'find', code: 'E_USAGE', says: ['scenario', 'one-to-one', 'loadline help scenarios'] },
  { args: 'find one-to-one extra', code: 'E_USAGE', says: ['Too many arguments'] },
  { args: 'find one-to-one --mesure 5s', code: 'E_USAGE', says: ['--mesure', 'write --measure, or see'] },
  { args: 'find one-to-one --from', code: 'E_USAGE', says: ['--from', 'needs a value'] },
  { args: 'find one-to-two', code: 'E_SCENARIO', says: ['one-to-two', 'one-to-one'] },
  { args: 'find one-to-one --from 0', code: 'E_USAGE', says: ['--from', '"0"'] },
  { args: 'find one-to-one --from -1', code: 'E_USAGE', says: ['--from', '"-1"'] },
  { args: 'find one-to-one --from 1.5', code: 'E_USAGE', says: ['--from', '"1.5"'] },
  { args: 'find one-to-one --from 1e3', code: 'E_USAGE', says: ['--from', '"1e3"'] },
  { args: 'find one-to-one --from 9 --max 8', code: 'E_USAGE', says: ['--from 9', '--max 8'] },
  { args: 'find one-to-one --max 1000000', code: 'E_USAGE', says: ['--max', '100000'] },
  { args: 'find one-to-one --confirm 0', code: 'E_USAGE', says: ['--confirm'] },
  { args: 'find one-to-one --require many', code: 'E_USAGE', says: ['--require', '"many"'] },
  { args: 'find one-to-one --require 20 --max 10', code: 'E_USAGE', says: ['--require 20', '10'] },
  { args: 'plan one-to-one --require 5 --max 4', code: 'E_USAGE', says: ['--require 5', '4'] },
  { args: 'find one-to-one --record --no-record', code: 'E_USAGE', says: ['--record and --no-record'] },
  { args: 'try one-to-one --size 1 --no-record --record', code: 'E_USAGE', says: ['--record and --no-record'] },
  {
    args: 'find one-to-one --strategy fixed --sizes 2,3 --from 2',
    code: 'E_USAGE',
    says: ['--from without --strategy bisect or ramp', 'fixed tries the --sizes alone'],
  },
  { args: 'find one-to-one --max 4 --max 8', code: 'E_USAGE', says: ['--max is given twice, as "4" and as "8"'] },
  { args: 'find audio-room --codec h264', code: 'E_USAGE', says: ['--codec is not for audio-room', 'pictures'] },
  {
    args: 'find sfu-audio-room --server janus://10.0.0.5 --resolution 1280x720 --video-kbps 900',
    code: 'E_USAGE',
    says: ['--resolution, --video-kbps are not for sfu-audio-room', 'pictures'],
  },
  {
    args: 'find one-to-one --audio-only --no-record --codec h264',
    code: 'E_USAGE',
    says: ['--codec is not for --audio-only'],
  },
  { args: 'find one-to-one --quiet --verbose', code: 'E_USAGE', says: ['--quiet and --verbose contradict'] },
  { args: 'simulate one-to-one --quiet --verbose', code: 'E_USAGE', says: ['--quiet and --verbose contradict'] },
  { args: 'simulate one-to-one --size 3 --strategy ramp', code: 'E_USAGE', says: ['--strategy', '--size'] },
  { args: 'simulate one-to-one --size 3 --require 2', code: 'E_USAGE', says: ['--require', '--size'] },
  { args: 'simulate one-to-one --size 100000', code: 'E_USAGE', says: ['--size', '200000 probes', 'give --size 1791'] },
  { args: 'simulate one-to-one --from 9000 --max 9000', code: 'E_USAGE', says: ['--from', 'give --from 1791 or less'] },
  { args: 'find one-to-one --network wify', code: 'E_NETWORK', says: ['"wify"', 'do      write wifi\n'] },
  { args: 'find one-to-one --budget 5s', code: 'E_USAGE', says: ['--budget 5s', 'one trial'] },
  { args: 'simulate one-to-one --budget 5s', code: 'E_USAGE', says: ['--budget 5s', 'one trial'] },
  { args: 'find one-to-one --measure 5_minutes', code: 'E_DURATION', says: ['--measure', '5m'] },
  { args: 'find one-to-one --measure 60', code: 'E_DURATION', says: ['--measure', '"60"'] },
  { args: 'find one-to-one --measure 0s', code: 'E_DURATION', says: ['--measure'] },
  { args: 'find one-to-one --measure 99h', code: 'E_DURATION', says: ['--measure', '24h'] },
  { args: 'find one-to-one --measure 9s', code: 'E_DURATION', says: ['--measure', 'at least 10s', '"9s"'] },
  { args: 'find one-to-one --settle soon', code: 'E_DURATION', says: ['--settle', '"soon"'] },
  { args: 'find one-to-one --pace 0/s', code: 'E_USAGE', says: ['--pace', '2/s'] },
  { args: 'find one-to-one --pace fast', code: 'E_USAGE', says: ['--pace', '"fast"'] },
  { args: 'find one-to-one --probes-per-page 0', code: 'E_USAGE', says: ['--probes-per-page'] },
  { args: 'find one-to-one --format xml', code: 'E_USAGE', says: ['--format', 'text or json', '"xml"'] },
  { args: 'find one-to-one --hosts local 16', code: 'E_USAGE', says: ['a colon', 'write --hosts local:16'] },
  { args: 'plan one-to-one --server ws://10.0.0.5:8188', code: 'E_SERVER_URL', says: ['janus://10.0.0.5:8188'] },
  {
    args: 'find one-to-one --threshold received.video.bitrate_>=_600_kbit/s',
    code: 'E_USAGE',
    says: ['>= 600 kbit/s', 'at most 500 kbit/s', '--video-kbps is 500', 'give --video-kbps 600'],
  },
  {
    args: 'find one-to-one --server http://host:8888',
    code: 'E_SERVER_URL',
    says: ['--server', 'http:', 'kurento://'],
  },
  { args: 'find one-to-one --server somewhere', code: 'E_SERVER_URL', says: ['--server', 'somewhere'] },
  { args: 'find one-to-one --server kurento://', code: 'E_SERVER_URL', says: ['--server'] },
  {
    args: 'find one-to-one --server kurento://127.0.0.1:9 --egress-limit 3mbit',
    code: 'E_USAGE',
    says: ['--egress-limit', 'embedded'],
  },
  { args: 'find one-to-one --egress-limit 3', code: 'E_RATE', says: ['--egress-limit', '3mbit'] },
  { args: 'find one-to-one --egress-limit 0mbit', code: 'E_RATE', says: ['--egress-limit'] },
  { args: 'try one-to-one', code: 'E_USAGE', says: ['--size'] },
  { args: 'try one-to-one --size 0', code: 'E_USAGE', says: ['--size', '"0"'] },
  { args: 'try one-to-one --size -1', code: 'E_USAGE', says: ['--size', '"-1"'] },
  { args: 'try one-to-one --size 1.5', code: 'E_USAGE', says: ['--size', '"1.5"'] },
  { args: 'try one-to-one --size abc', code: 'E_USAGE', says: ['--size', '"abc"'] },
  { args: 'try one-to-one --size 1 --from 2', code: 'E_USAGE', says: ['--from'] },
  { args: 'try broadcast --size 0', code: 'E_USAGE', says: ['--size', '"0"'] },
  { args: 'find group --room-size 1', code: 'E_USAGE', says: ['--room-size', 'from 2', '"1"'] },
  { args: 'find sfu-group --room-size many', code: 'E_USAGE', says: ['--room-size', '"many"'] },
  { args: 'find one-to-one --room-size 4', code: 'E_USAGE', says: ['--room-size', 'one-to-one', 'sfu-group'] },
  { args: 'find group --keep-recordings', code: 'E_USAGE', says: ['--keep-recordings', '--record'] },
  { args: 'try one-to-one --size 1 --no-record --keep-recordings', code: 'E_USAGE', says: ['--keep-recordings'] },
  { args: 'find one-to-one --turn sctp', code: 'E_USAGE', says: ['--turn', 'udp or tcp or tls', '"sctp"'] },
  { args: 'find one-to-one --turn-server gone.json', code: 'E_TURN_URL', says: ['gone.json', 'iceServers'] },
  { args: 'find one-to-one --turn-server relay.example', code: 'E_TURN_URL', says: ['--turn-server', 'turn:HOST'] },
  { args: 'find one-to-one --turn-server own', code: 'E_USAGE', says: ['--turn-server own', 'names no TURN server'] },
  {
    args: 'find broadcast --server mediamtx://10.0.0.5 --hosts nats://a --turn-server own --spoken-by hosts',
    code: 'E_USAGE',
    says: ['--turn-server own', '--spoken-by hosts'],
  },
  {
    args: 'find one-to-one --turn udp --turn-server turns:relay.example',
    code: 'E_USAGE',
    says: ['--turn udp', 'over tls'],
  },
  {
    args: 'find one-to-one --hosts nats://a --turn udp',
    code: 'E_USAGE',
    says: ['--turn starts a coturn', '--turn-server'],
  },
  {
    args: 'find one-to-one --hosts nats://a --chromium /c',
    code: 'E_USAGE',
    says: ['--chromium names a file', 'loadline host'],
  },
  { args: 'serve --port 65536', code: 'E_USAGE', says: ['--port', '65535'] },
  { args: 'serve --port http', code: 'E_USAGE', says: ['--port', '"http"'] },
  { args: 'serve --egress-limit fast', code: 'E_RATE', says: ['--egress-limit'] },
  { args: 'serve --report-interval 1500ms', code: 'E_DURATION', says: ['--report-interval', 'whole seconds'] },
  { args: 'serve --report-interval 0s', code: 'E_DURATION', says: ['--report-interval', '"0s"'] },
  { args: 'serve --report-interval often', code: 'E_DURATION', says: ['--report-interval', '"often"'] },
  { args: 'serve --wrapped-report 0', code: 'E_USAGE', says: ['--wrapped-report', '"0"'] },
  { args: 'serve --slow-first-join late', code: 'E_DURATION', says: ['--slow-first-join', '"late"'] },
  { args: 'serve --leak 5%', code: 'E_USAGE', says: ['--leak', '--egress-limit', 'changes nothing'] },
  { args: 'serve --egress-limit 5mbit --leak 100%', code: 'E_USAGE', says: ['--leak', 'less than 100%'] },
  { args: 'serve --mix-fps 14.5', code: 'E_USAGE', says: ['--mix-fps', '"14.5"'] },
  { args: 'serve --host 0.0.0.0', code: 'E_USAGE', says: ['--host', 'LOADLINE_SERVE_TOKEN', '?token='] },
  { args: 'serve extra', code: 'E_USAGE', says: ['Too many arguments'] },
];

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-bad-input-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

const refusedHere = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runHere(args, { workingFolder: folder, env: { PATH: process.env.PATH ?? '', ...env } });

for (const { args, code, says } of refused) {
  test(`loadline ${args} is refused with ${code} before anything starts`, async () => {
    const words = args.split(' ').map((word) => word.replaceAll('_', ' '));
    const out = words[0] === 'serve' || words.length < 2 ? [] : ['--out', join(folder, 'runs')];
    const ended = await refusedHere([...words.slice(0, 2), ...out, ...words.slice(2)]);
    expectOneError(ended, code);
    for (const word of says) expect(ended.stderr).toContain(word);
    expect(readdirSync(folder)).toEqual([]);
  });
}
