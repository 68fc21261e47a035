import { expect, test } from '@playwright/test';
import { arrivalFlags } from '../../cli/options/arrival-flags.js';
import { clusterFlags } from '../../cli/options/cluster-flags.js';
import type { Flags } from '../../cli/options/flag.js';
import { typed } from '../../cli/options/flag.js';
import { hostFlags } from '../../cli/options/host-flags.js';
import { imitationFlags } from '../../cli/options/imitation-flags.js';
import { labelFlags } from '../../cli/options/label-flags.js';
import { mediaFlags } from '../../cli/options/media-flags.js';
import { networkFlags } from '../../cli/options/network-flags.js';
import { outputFlags, trialFlags } from '../../cli/options/run-flags.js';
import { searchFlags } from '../../cli/options/search-flags.js';
import { simulationFlags } from '../../cli/options/simulation-flags.js';
import { thresholdFlags } from '../../cli/options/threshold-flags.js';
import { LoadlineError } from '../../model/errors.js';
import { runHere } from './run-here.js';

const tables: readonly Flags[] = [
  arrivalFlags,
  clusterFlags,
  hostFlags,
  imitationFlags,
  labelFlags,
  mediaFlags,
  networkFlags,
  outputFlags,
  trialFlags,
  searchFlags,
  simulationFlags,
  thresholdFlags,
];

const badWords = ['🎉', '', '-1', '0', '0%', '7', '40', '99999999', 'local:99999', 'two words', '10 %', '5sec'];

function refusalOf(read: () => unknown): LoadlineError | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof LoadlineError) return error;
    throw error;
  }
}

test('every value that a remedy writes as an example is itself accepted', () => {
  const examples: string[] = [];
  const refused = tables.flatMap((table) =>
    Object.entries(table).flatMap(([name, flag]) => {
      const read = flag.value?.read;
      const word = typed(name, flag);
      if (!read) return [];
      return badWords.flatMap((bad) => {
        const { todo = '' } = refusalOf(() => read(bad, word)) ?? {};
        const found = /^write (?:a number and its unit without a space: |for example )?(.*)$/.exec(todo);
        const said: string = found?.[1] ?? '';
        const values: readonly string[] = said
          .split(/,? or |, (?=\d)/)
          .map((one: string) => one.replace(new RegExp(`^${word}[ =]?`), ''));
        const plain = values.map((one) => one.replace(/^['"](.*)['"]$/, '$1')).filter((one) => /^[^ ]+$/.test(one));
        examples.push(...plain);
        return plain.flatMap((one) => (refusalOf(() => read(one, word)) ? [`${word} ${one} (after ${bad})`] : []));
      });
    }),
  );
  expect(examples.length).toBeGreaterThan(100);
  expect(refused).toEqual([]);
});

for (const [words, wrong, right] of [
  ['plan one-to-one --measure 10', 'above zero', 'give --measure 10s'],
  ['plan one-to-one --measure soon', '500ms', 'write for example --measure 40s, or --measure 5m, or --measure 1h'],
  ['plan one-to-one --budget 45', '45s', 'give --budget 45m'],
  ['find one-to-one --budget 45s', 'a longer', 'give --budget 68s or more'],
  ['plan one-to-one --egress-limit 3', 'above zero', '3mbit'],
  ['capacity x --for 10viewers --region eu=40', '--region 10%', 'eu=40%'],
  ['completion powershell', 'the shell bash', 'loadline completion bash'],
  ['plan one-to-one --hosts local:x', '--hosts local 16', '--hosts local:4'],
  ['find one-to-one --max 5000 --from 5000 --media encoded', 'play encoded probes', 'loadline calibrate'],
  ['plan one-to-one --tag 🎉', 'without blanks', 'of letters, digits'],
  ['find', 'such as', 'one-to-one, '],
] as const) {
  test(`the remedy of "${words}" says what may be written`, async () => {
    const { stderr, exitCode } = await runHere(words.split(' '));
    expect(exitCode).toBe(2);
    expect(stderr).not.toContain(wrong);
    expect(stderr).toContain(right);
  });
}

/** Each a flag that changes nothing without another; the remedy adds that one. */
const idle = [
  'plan one-to-one --full-share 10%',
  'plan one-to-one --sentinels 8',
  'plan sfu-group --layer low',
  'plan sfu-group --layer-fault stuck',
  'plan one-to-one --absolute-limits',
  'plan one-to-one --evidence-metric up',
  'plan one-to-one --spread even',
  'plan one-to-one --sizes 4,8',
  'plan one-to-one --legs sending',
  'plan one-to-one --storm 20',
  'simulate one-to-one --placement hash',
  'compare --seed 3',
];

/** What it says to add, for each way of several. */
function additions(stderr: string): readonly (readonly string[])[] {
  const [, added = ''] = /^ {4}do +(?:add|give|write for example) (.+), or leave .+ out$/m.exec(stderr) ?? [];
  return added.split(' or ').map((one) => one.split(' ').map((word) => word.replace(/^'(.*)'$/, '$1')));
}

for (const words of idle) {
  test(`what the remedy of "${words}" adds is accepted, value and all`, async () => {
    const { stderr, exitCode } = await runHere(words.split(' '));
    expect(exitCode).toBe(2);
    const ways = additions(stderr);
    expect(ways.flat().join(' '), stderr).toMatch(/^--/);
    for (const more of ways) {
      const again = await runHere([...words.split(' '), ...more]);
      expect(again.stderr, more.join(' ')).not.toContain('E_USAGE');
    }
  });
}

test('a value that another one stands in place of is given, and not added to it', async () => {
  for (const [flag, given] of [
    ['--confidence 0.9', '--strategy ramp'],
    ['--full-share 10%', '--media native'],
    ['--draw-marks', '--media encoded'],
  ] as const) {
    const words = ['plan', 'one-to-one', ...flag.split(' ')];
    const { stderr } = await runHere([...words, ...given.split(' ')]);
    expect(stderr).toMatch(/^ {4}do +give /m);
    expect((await runHere([...words, ...additions(stderr).flat()])).stderr).not.toContain('E_USAGE');
  }
});

for (const [words, says, todo] of [
  ['compare a b --chance 5%', '--chance without --baseline or --plan changes nothing.', '--baseline v2.2'],
  ['compare a b --among runs', '--among without --baseline changes nothing.', 'write for example --baseline v2.2'],
  ['plan one-to-one --layer-fault stuck', '--layer-fault without --simulcast changes nothing.', 'add --simulcast'],
  [
    'plan visit --url http://a.example/{session} --media encoded --network wifi',
    '--media encoded does not go with --network when a web app is visited.',
    'leave --media out',
  ],
  [
    'simulate one-to-one --threshold video.bitrate>=3000kbit/s',
    'cannot be met',
    'do      limit it to 500 kbit/s or less',
  ],
] as const) {
  test(`"${words}" is refused`, async () => {
    const { stderr, exitCode } = await runHere(words.split(' '));
    expect(exitCode).toBe(2);
    expect(stderr).toContain(says);
    expect(stderr).toContain(todo);
  });
}

test('of rooms that a server does not mix it is told what it plays of rooms, and nothing of what nobody asked for', async () => {
  const servers = ['janus://10.0.0.5', 'livekit://10.0.0.5', 'mediamtx://10.0.0.5', 'srs://10.0.0.5'];
  const nearest = { group: 'sfu-group', 'audio-room': 'sfu-audio-room' };
  for (const server of servers) {
    for (const [scenario, instead] of Object.entries(nearest)) {
      const asked = ['plan', scenario, '--room-size', '30', '--muted', '80%', '--server', server];
      const { exitCode, stderr } = await runHere(asked, { env: { LIVEKIT_API_KEY: 'a', LIVEKIT_API_SECRET: 'b' } });
      if (exitCode === 0) continue;
      expect(stderr).toContain(`measure ${instead}`);
      for (const word of ['one-to-one', '--room-size', '--muted']) expect(stderr, asked.join(' ')).not.toContain(word);
    }
  }
});
