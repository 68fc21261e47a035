import { expect, test } from '@playwright/test';
import { runHere } from './run-here.js';

function todoOf(stderr: string): string {
  const [, todo = ''] = /^ {4}do {6}([\s\S]*?)\n\nexit/m.exec(stderr) ?? [];
  return todo;
}

/** What a person types who does as each remedy says, and takes the first of its ways. */
function followed(words: readonly string[], stderr: string): readonly string[] {
  return todoOf(stderr)
    .split('\n')
    .reduce<readonly string[]>((line, one) => {
      const way = one.trim().split(', ')[0] ?? '';
      const flags = way.split(' or ')[0] ?? '';
      if (/^(add|give|write) /.test(flags)) {
        const [more = '', instead = ''] = flags.replace(/^\w+ (for example )?/, '').split(' instead of ');
        const added = more.split(' ');
        return [
          ...added.reduce(
            without,
            instead.split(' and ').reduce((left, flag) => without(left, flag.split(' ')[0] ?? ''), line),
          ),
          ...added,
        ];
      }
      const [, scenario] = /^measure ([a-z-]+)/.exec(flags) ?? [];
      if (scenario !== undefined) return line.with(1, scenario);
      const [, out = ''] = /^leave (.+?) out/.exec(one.trim()) ?? [];
      return out
        .split(/,? and |, /)
        .reduce((left, name) => without(left, name.replace(/^the limit.*/, '--threshold')), line);
    }, words);
}

/** A line without a flag and its value. */
function without(line: readonly string[], flag: string): readonly string[] {
  const at = flag.startsWith('--') ? line.indexOf(flag) : -1;
  return at < 0 ? line : line.filter((_, nth) => nth !== at && (nth !== at + 1 || line[nth]?.startsWith('--')));
}

const layered = [
  '--layer low',
  '--layout speaker',
  '--visible 2',
  '--visible 3 --resolution 320x180',
  '--simulcast',
  '--svc L3T3',
  '--layer-fault stuck',
  '--data 10',
  '--screen',
  '--simulcast --codec VP9',
  '--simulcast --layer low --resolution 640x360',
  '--simulcast --resolution 1280x720',
  '--simulcast --video-kbps 2500',
  '--svc L3T3 --codec VP9 --resolution 1280x720',
  '--layer low --resolution 1280x720',
  '--layer low --resolution 640x360 --record',
  '--svc L3T3 --codec VP9',
  '--data 10 --drill lose-host',
  '--see 2 --audio-only',
  '--speech p59',
  '--draw-marks',
  '--answer-after 1s',
  '--by arrivals --storm 5',
  '--resolution 1920x1080',
  '--record --data 10',
  '--record --layer low',
  '--simulcast --svc L3T3',
  '--simulcast --layout speaker --layer low',
  '--simulcast --resolution 1920x1080',
  '--audio-only --screen',
  '--full-share 10%',
  '--data 0/s',
  '--codec h.264',
  '--spread pack --by arrivals',
];
for (const media of ['full', 'encoded', 'native']) {
  for (const flags of layered) {
    test(`what the remedy of ${flags} with --media ${media} says is accepted at once`, async () => {
      for (const scenario of ['one-to-one', 'sfu-group']) {
        const words = ['plan', scenario, '--media', media, ...flags.split(' '), '--max', '2'];
        const first = await runHere(words);
        if (first.exitCode === 0) continue;
        const again = followed(words, first.stderr);
        for (const flag of ['--resolution 1280x720', '--video-kbps 2500'])
          if (flags.includes(flag)) expect(todoOf(first.stderr)).not.toContain(flag);
        const second = await runHere(again);
        expect(second.stderr, `${first.stderr}\n${again.join(' ')}`).toBe('');
      }
    });
  }
}

/** Calls whose faults have remedies that, each alone, lead to the next one. */
const circles = [
  'plan sfu-group --simulcast --layout speaker --threshold delay.p95<=200ms',
  'plan sfu-group --simulcast --resolution 1280x720 --video-kbps 2500 --threshold delay.p95<=200ms',
  'plan group --see 2 --threshold video.ssim>=0.9',
  'plan one-to-one --server embedded --server embedded --absolute-limits',
  'plan sfu-group --server broadcast-box://10.0.0.5 --simulcast --media native',
  'plan broadcast --server broadcast-box://10.0.0.5 --simulcast --media native',
  'plan sfu-group --svc L3T3 --layout speaker',
  'plan sfu-group --size 4 --from 2 --threshold video.ssim>=0.9',
  'plan agent-room --data 10 --media full',
  'plan broadcast --placement hash',
  'plan audio-room --drill-command x --threshold video.ssim>=0.9',
  'plan sfu-group --profile meeting-25 --server kurento://10.0.0.5',
  'plan webinar --sentinels 8 --threshold messages>=1',
  'plan group --media native --threshold delay.p95<=200ms --see 2',
  'simulate one-to-one --strategy ramp --confidence 0.9 --sizes 4 --capacity 2 --out /dev/null',
];
for (const circle of circles) {
  test(`who follows all that is told of ${circle} is refused nothing more`, async () => {
    const words = circle.split(' ');
    const line = words[0] === 'plan' && !words.includes('--size') ? [...words, '--max', '2'] : words;
    const first = await runHere(line);
    expect(first.exitCode, first.stderr).toBe(2);
    const { stderr } = await runHere(followed(line, first.stderr));
    expect(stderr, first.stderr).not.toMatch(/^error (?!E_OUT)/);
  });
}

test('no way that is told is refused beside the others, and what a person alone can do stays', async () => {
  const see = await runHere('plan group --see 2 --threshold video.ssim>=0.9 --max 2'.split(' '));
  expect(todoOf(see.stderr)).toBe('measure sfu-group');
  const server = await runHere('plan sfu-group --server kurento://10.0.0.5 --profile meeting-25 --max 2'.split(' '));
  expect(todoOf(server.stderr)).toBe('leave --profile out, or measure a server that takes layers');
  const limits = 'plan sfu-group --simulcast --threshold delay.p95<=200ms --threshold video.loss.mean<=1% --max 2';
  expect(todoOf((await runHere(limits.split(' '))).stderr)).toContain('leave the limit "delay.p95<=200ms" out');
});
