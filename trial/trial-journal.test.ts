import { expect, test } from '@playwright/test';
import { TrialJournal } from './trial-journal.js';

test('a flood of what a server says is kept up to a bound and counted beyond it; what the trial itself notes is always kept', () => {
  let told = 0;
  const clock = { nowMs: () => 5 } as ConstructorParameters<typeof TrialJournal>[1];
  const journal = new TrialJournal(1, clock, () => {
    told += 1;
  });
  const flood = (times: number): void => {
    for (let index = 0; index < times; index += 1) {
      journal.note({ type: 'page-log', atMs: index, page: 1, level: 'error', text: 'again' });
    }
  };
  flood(100_000);
  expect(journal.events).toHaveLength(100_000);
  flood(250);
  journal.warn('the network was left');
  expect(told).toBe(100_001);
  expect(journal.events.slice(-2)).toEqual([
    { type: 'warning', atMs: 5, text: 'the network was left' },
    {
      type: 'warning',
      atMs: 5,
      text: '250 more events of the media server and of pages were not kept, and nothing is judged by them',
    },
  ]);
});
