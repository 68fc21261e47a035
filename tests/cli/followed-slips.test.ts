import { expect, test } from '@playwright/test';
import { runHere } from './run-here.js';

/** Bad calls, and what is left open in the remedy of each: a word that nobody but the person knows. */
const slips: readonly string[] = [
  'plan audio-room --profile classic-640',
  'plan broadcast --profile classic-640 --audio-only',
  'plan sfu-group --profile meeting-25 --server kurento://10.0.0.5',
  'plan one-to-on',
  'plan sfu-grup --max 2',
  'plan one-to-one --max 0',
  'plan one-to-one --max 1e3',
  'plan one-to-one --max 8 --from 16',
  'plan one-to-one --measure 5s',
  'plan one-to-one --measure 60',
  'plan one-to-one --settle 10',
  'plan one-to-one --pace fast',
  'plan one-to-one --pace 2/m',
  'plan one-to-one --egress-limit 3',
  'plan one-to-one --cpu-limit 50%',
  'plan one-to-one --cpu-limit 0',
  'plan one-to-one --network wify',
  'plan one-to-one --network 150%_loss',
  'plan one-to-one --network 90%_clean',
  'plan one-to-one --network wifi --turn udp',
  'plan one-to-one --turn sctp',
  'plan one-to-one --turn-server 10.0.0.5',
  'plan one-to-one --turn-server turn:10.0.0.5:3478 --turn tcp',
  'plan one-to-one --server kurento:8888',
  'plan one-to-one --server janus',
  'plan one-to-one --server livekit',
  'plan one-to-one --server ws://10.0.0.5:8188',
  'plan one-to-one --server kurento://10.0.0.5 --egress-limit 3mbit',
  'plan one-to-one --server-pid 44',
  'plan one-to-one --media natve',
  'plan one-to-one --media fulll',
  'plan one-to-one --codec H265',
  'plan one-to-one --resolution 640',
  'plan one-to-one --video-kbps 1m',
  'plan one-to-one --strategy ram',
  'plan one-to-one --strategy fixed',
  'plan one-to-one --strategy ramp --sizes 1,2',
  'plan one-to-one --sizes 4',
  'plan one-to-one --sizes 4;8 --strategy fixed',
  'plan one-to-one --within 0%',
  'plan one-to-one --confidence 95',
  'plan one-to-one --confirm 0',
  'plan one-to-one --budget 45',
  'plan one-to-one --preset strct',
  'plan one-to-one --preset nope',
  'plan one-to-one --threshold video.loss_<=_1',
  'plan one-to-one --tolerate 5',
  'plan one-to-one --hold-at-limit 10m',
  'plan one-to-one --hosts local',
  'plan one-to-one --hosts local 4',
  'plan one-to-one --evidence 10.0.0.5:9100',
  'plan one-to-one --evidence-metric up',
  'plan one-to-one --absolute-limits',
  'plan one-to-one --label a',
  'plan one-to-one --formt json',
  'plan one-to-one --format xml',
  'plan one-to-one --by arrival --media none',
  'plan one-to-one --storm 5',
  'plan one-to-one --room-size 3',
  'plan sfu-group --room-size 1',
  'plan sfu-group --room-size 99',
  'plan one-to-one --url https://x.example/{session}',
  'plan visit --max 1',
  'plan one-to-one --size 4 --max 8',
  'plan one-to-one --size 0',
  'plan one-to-one --capacity 18',
  'plan one-to-one --members 2',
  'simulate one-to-one --server kurento://10.0.0.5 --confirm 1 --max 2 --out /dev/null',
  'compare --plan 1',
  'compare --plan 99',
  'paln one-to-one --max 2',
  'plan one-to-one --measure 5min',
  'plan one-to-one --measure 60_s',
  'plan one-to-one --budget 1',
  'plan one-to-one --budget 1m',
  'plan one-to-one --egress-limit 3mbps',
  'plan one-to-one --threshold',
  'plan one-to-one extra',
  'plan one-to-one --threshold video.ssim_>=_0.9',
  'plan one-to-one --threshold shown.p95_<=_1s',
  'plan one-to-one --media native --threshold shown.p95_<=_1s',
  'plan one-to-one --media native --threshold video.ssim_>=_0.9',
  'plan one-to-one --threshold delay.p95_<=_200ms',
  'plan one-to-one --threshold foreign_<=_1%',
  'plan one-to-one --threshold messages_>=_1',
  'plan one-to-one --threshold spoken_>=_1%',
  'plan one-to-one --threshold replaced_>=_1%',
  'plan one-to-one --threshold answer.p95_<=_2s',
  'plan sfu-group --threshold belowLayer_<=_5%',
  'plan audio-room --threshold video.loss_<=_1%',
  'plan one-to-one --audio-only --threshold video.loss_<=_1%',
  'simulate one-to-one --threshold video.ssim_>=_0.9 --out /dev/null',
  'plan one-to-one --reset restart',
  'plan one-to-one --reset-command x',
  'plan one-to-one --spoken-by hosts',
  'plan one-to-one --hosts local:3 --spoken-by hosts',
  'plan one-to-one --strategy fixed --sizes 4,8 --from 3',
  'plan one-to-one --strategy ramp --hold-at-limit 10m --sizes 4',
  'plan one-to-one --whip https://a.example/{stream}/whip',
  'plan one-to-one --whep https://a.example/{stream}/whep',
  'plan one-to-one --placement hash',
  'plan one-to-one --placer x',
  'plan one-to-one --drill lose-host',
  'plan one-to-one --server kurento://10.0.0.5 --server kurento://10.0.0.6 --drill lose-host',
  'plan one-to-one --answer-after 1s',
  'plan agent-room --media native --answer-after 800',
  'plan group --server livekit://10.0.0.5',
  'plan sfu-group --server srs://10.0.0.5',
  'plan visit --url https://x.example/{session} --media native',
  'plan visit --url https://x.example/{session} --simulcast',
  'plan visit --url https://x.example/{session} --server kurento://10.0.0.5',
  'plan visit --url https://x.example/{session} --storm 5',
  'plan one-to-one --media native --full-share 10%',
];

/** Words as a shell has them; in the table `_` stands for a space. */
const shellWords = (text: string): readonly string[] =>
  [...text.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, one, two, three]) => one ?? two ?? three ?? '');

const isFlag = (word = ''): boolean => word.startsWith('--');

/** What a person types who does as the first way of a remedy says; undefined where it says nothing to type. */
function followed(line: readonly string[], stderr: string): readonly string[] | undefined {
  const [, where = ''] = /^ {4}where {3}(.*)$/m.exec(stderr) ?? [];
  const [, todo = ''] = /^ {4}do {6}(.*)$/m.exec(stderr) ?? [];
  const way = (todo.split(/;? or | for half|, (?!\d)|: the address/)[0] ?? '')
    .replaceAll('HOST', '10.0.0.5')
    .replaceAll('PORT', '8888');
  const [, verb = '', more = ''] = /^(write for example|write|add|give|use|leave|measure) (.*)$/.exec(way) ?? [];
  const [flag = ''] = where.split(/[ ,]/);
  const given = shellWords(more);
  if (verb === 'leave') return without(line, isFlag(given[0]) ? (given[0] ?? '') : flag);
  if (verb === 'measure') return without(line.with(1, given[0] ?? ''), given[2] ?? '');
  if (isFlag(given[0])) {
    if (given.length === 1 && line.includes(flag) && !line.includes(given[0] ?? '') && verb === 'write') {
      return line.map((word) => (word === flag ? (given[0] ?? '') : word));
    }
    const starts = given.flatMap((word, nth) => (isFlag(word) ? [nth] : []));
    const groups = starts.map((at, nth) => given.slice(at, starts[nth + 1]));
    return [...groups.reduce((left, [name = '']) => without(left, name), line), ...groups.flat()];
  }
  if (!verb.startsWith('write')) return undefined;
  const at = line.indexOf(flag);
  if (at < 0) return undefined;
  return isFlag(flag) ? line.with(at + 1, more) : line.with(at, more);
}

/** A line without a flag and its values. */
function without(line: readonly string[], flag: string): readonly string[] {
  const at = line.indexOf(flag);
  if (at < 0) return line;
  const next = line.findIndex((word, nth) => nth > at && isFlag(word));
  return [...line.slice(0, at), ...(next < 0 ? [] : line.slice(next))];
}

for (const slip of slips) {
  test(`what the remedy of ${slip} says to type is not refused`, async () => {
    const words = slip.split(' ').map((word) => word.replaceAll('_', ' '));
    const first = await runHere(words);
    expect(first.exitCode, first.stderr).toBe(2);
    const again = followed(words, first.stderr);
    expect(again, first.stderr).toBeDefined();
    const { exitCode, stderr } = await runHere(again ?? []);
    if (/^error E_HOST|^error E_OUT/.test(stderr)) return;
    expect([exitCode, stderr], `${first.stderr}\n${again?.join(' ')}`).toEqual([0, '']);
  });
}
