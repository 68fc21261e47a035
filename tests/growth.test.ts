import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { metricsOf } from '../analysis/measure/stream-reading.js';
import type { Aggregates } from '../model/aggregate.js';
import { participantsOf } from '../model/scenario.js';
import { scenarios } from '../scenarios/index.js';
import { serverKinds } from '../server-setup/kinds.js';
import { productKinds } from '../server-setup/whip/product-kinds.js';
import { growths } from './growth.js';
import { sourceFiles, withoutComments } from './source-files.js';

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const page = readFileSync(at('docs/reference/growing.md'), 'utf8');

const sectionOf = (what: string) =>
  page.split(/^## /m).find((part) => part.toLowerCase().startsWith(what.toLowerCase())) ?? '';

for (const { what, touches } of growths) {
  test(`docs/reference/growing.md lists what ${what} touches, and nothing else`, () => {
    const rows = [...sectionOf(what).matchAll(/^\| `([^`]+)` \| (.+?) +\|$/gm)].map(([, path, why]) => ({ path, why }));
    expect(rows).toEqual(touches);
  });
}

test('each kind of server is in its folder, with a page of its own where there is something to know of it', () => {
  const ofFolders = serverKinds.filter((kind) => !productKinds.includes(kind));
  for (const { name, nature } of ofFolders) {
    expect(existsSync(at(`server-setup/${name}/kind.ts`))).toBe(true);
    if (nature === 'product') expect(existsSync(at(`docs/reference/${name}.md`))).toBe(true);
  }
  // Rows of a table, which share a folder and a page.
  const whip = readFileSync(at('docs/reference/whip.md'), 'utf8');
  for (const { name } of productKinds) expect(whip).toContain(`\`${name}://\``);
});

test('what the command line, the conductor and the reports do depends on no name of a kind of server', () => {
  const names = serverKinds.map(({ name }) => name).join('|');
  const compared = new RegExp(`[=!]== ['"](${names})['"]|case ['"](${names})['"]`);
  const guilty = sourceFiles()
    .filter(({ path }) => /^(cli|trial|analysis|report|store|alerts)\//.test(path) && !path.endsWith('.test.ts'))
    .filter(({ text }) => compared.test(withoutComments(text)));
  expect(guilty.map(({ path }) => path)).toEqual([]);
});

/** Where a scenario or a role is named all the same, and why. */
const named: Readonly<Record<string, string>> = {
  'analysis/judge/calibrated-host.ts': 'what calibrate measures with',
  'cli/commands/visit.ts': 'the command that visits once is called as the scenario is',
  'cli/profiles/classroom.ts': 'a profile is of sessions of one scenario',
  'cli/profiles/meeting-25.ts': 'a profile is of sessions of one scenario',
  'cli/profiles/profile.ts': 'a profile is called as its scenario is',
  'cli/profiles/webinar.ts': 'a profile is of sessions of one scenario',
  'cli/commands/doctor.ts': 'a plan must have one, and any will do',
  'model/arriving-together.ts': 'a remedy leads to it',
  'model/crowd-together.ts': 'a remedy leads to it',
  'model/turns-together.ts': 'a remedy leads to it',
  'server-setup/web-app/app-flags.ts': 'a remedy leads to it',
  'analysis/report/trial-line.ts': 'the one word for presenter-starved',
  'bench/receivers.ts': 'a bench of that scenario',
  'bench/report.ts': 'a bench of that scenario',
  'report/page/probe-bars.ts': 'a class of its drawing',
};

test('what a scenario or a role is called is known to its own file alone', () => {
  const roles = scenarios.flatMap((one) => participantsOf(one.sessions(one.baselineSize)).map(({ role }) => role));
  const words = [...new Set([...scenarios.map(({ name }) => name), ...roles])];
  const quoted = new RegExp(`['"\`](${words.join('|')})['"\`]`);
  const guilty = sourceFiles()
    .filter(({ path }) => !/^(scenarios|tests)\//.test(path) && !path.endsWith('.test.ts'))
    .filter(({ text }) => quoted.test(withoutComments(text)));
  expect(guilty.map(({ path }) => path).sort()).toEqual(Object.keys(named).sort());
});

/** Names that were added as the lists say, and where else they may stand. */
const added: readonly (readonly [what: string, name: string, elsewhere: readonly string[]])[] = [
  // An example in the help, a bench of it, and a product whose name has it.
  [
    'a new scenario',
    'broadcast',
    [
      'cli/commands/simulate.ts',
      'bench/layer-likeness.ts',
      'bench/receivers.ts',
      'bench/viewers.ts',
      'server-setup/whip/product-kinds.ts',
    ],
  ],
  ['a new metric', 'silentConcealedSamples', ['analysis/measure/receive-stream.ts', 'simulation/simulated-samples.ts']],
  ['a value to limit', 'discardedPercent', ['bench/real/row.ts']],
  ['a new scenario', 'audioRoom', ['scenarios/audio-room.ts']],
  ['a new scenario', 'sfuAudioRoom', ['scenarios/audio-room.ts']],
  ['a limit with a name', 'mosMin', []],
  ['a limit with a name', 'audio-quality', ['docker/grafana/sound-panels.ts']],
];

for (const [what, name, elsewhere] of added) {
  test(`${name}, ${what}, stands in the files of its list and in no others of the product`, () => {
    const touches = growths.find((growth) => growth.what === what)?.touches ?? [];
    const listed = touches.map(({ path }) => path.replace('NAME', name));
    const word = new RegExp(`\\b${name}\\b`);
    const found = sourceFiles().filter(
      ({ path, text }) => !path.startsWith('tests/') && !path.endsWith('.test.ts') && word.test(withoutComments(text)),
    );
    expect(found.length).toBeGreaterThan(0);
    const strange = found.map(({ path }) => path).filter((path) => ![...listed, ...elsewhere].includes(path));
    expect(strange).toEqual([]);
  });
}

test('a metric, or a value of a window, that no catalogue has does not compile', () => {
  const reading = { atMs: 1, intervalMs: 1, stream: undefined };
  // @ts-expect-error: the catalogue says jitterMs
  expect(metricsOf(reading).jiterMs).toBeUndefined();
  const values: Aggregates = {};
  // @ts-expect-error: the window says lossPercent
  expect(values.losPercent).toBeUndefined();
});

/** The rooms of a way to play and of a way to come: beside them stand its rows, and few words. */
const rooms = { native: /native/, arrivals: /arriv/ };
const mostBeside = 15;

for (const [word, own] of Object.entries(rooms)) {
  test(`${word} stands in its rooms, and in ${mostBeside} files of the product at most beside them`, () => {
    const named = new RegExp(`\\b${word}\\b`, 'i');
    // Comments count, and what is imported; paths do not.
    const paths = /[\w.-]*\/[\w./-]+/g;
    const files = sourceFiles().filter(
      ({ path, text }) =>
        !/^(tests|bench|rtp)\/|\.test\.ts$/.test(path) && !own.test(path) && named.test(text.replace(paths, '')),
    );
    expect(files.length, files.map(({ path }) => path).join(', ')).toBeLessThanOrEqual(mostBeside);
  });
}

test('outside its rooms no code compares the kind of a load: it asks the row of that kind', () => {
  const compared = /\bload\.by [=!]==/;
  const guilty = sourceFiles()
    .filter(({ path }) => !/^(tests|bench)\/|\.test\.ts$/.test(path) && !rooms.arrivals.test(path))
    .filter(({ text }) => compared.test(withoutComments(text)));
  expect(guilty.map(({ path }) => path)).toEqual([]);
});
