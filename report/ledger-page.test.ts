import { expect, test } from '@playwright/test';
import type { ListedRun } from '../analysis/report/run-list.js';
import { runResult } from '../analysis/search/result.js';
import { runStory } from '../tests/builders/run-stories.js';
import { ledgerPage } from './ledger-page.js';

const listed = (name: string, story: Parameters<typeof runStory>[0] = 'found'): ListedRun => {
  const run = runStory(story);
  return { name, manifest: run.manifest, result: runResult(run), trials: run.records.length };
};
const assets = { style: '', version: '1', script: 'let a = "</script>";' };

test('the page of many runs leads to the reports that are there, and draws the size that failed above each limit', () => {
  const runs = [listed('with a report'), listed('without')];
  const reportOf = ({ name }: ListedRun) => (name === 'without' ? undefined : `runs/${name}/report.html`);
  const text = ledgerPage({ runs, unreadable: [{ name: 'spoiled', why: 'no manifest' }], reportOf }, assets);
  expect(text).toContain('<a href="runs/with%20a%20report/report.html">with a report</a>');
  expect(text).toContain('<td>without</td>');
  expect(text.match(/class="mark unstable" style/g)).toHaveLength(2);
  expect(text).toContain('spoiled: no manifest');
  expect(text).not.toContain('simulated');
  expect(text.match(/<\/script>/g)).toHaveLength(1);
});

test('limits of other servers and loads are curves of their own, and versions of one server are one', () => {
  const one = listed('one');
  const of = (server: string, many = 'calls'): ListedRun => {
    const [, version = ''] = server.split(' ');
    const { manifest } = one;
    return {
      ...one,
      manifest: { ...manifest, unit: { one: many, many }, server: { ...manifest.server, name: server, version } },
    };
  };
  const runs = [of('livekit 1.7'), of('livekit 1.8'), of('janus 1.2'), of('livekit 1.8', 'calls per second')];
  const page = ledgerPage({ runs, unreadable: [], reportOf: () => undefined }, assets);
  const heads = [...page.matchAll(/<h2 id="[^"]*">([^:]*: [^<]*) on /g)].map(([, head]) => head);
  expect(heads).toEqual([
    'livekit: calls of one-to-one',
    'janus: calls of one-to-one',
    'livekit: calls per second of one-to-one',
  ]);
});

test('a simulated run is marked', () => {
  const page = ledgerPage({ runs: [listed('one', 'simulated')], unreadable: [], reportOf: () => undefined }, assets);
  expect(page).toContain('<span class="note">simulated</span>');
});
