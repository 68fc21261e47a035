import { expect, test } from '@playwright/test';
import { pages } from './pages.js';
import { longSentences, sentencesOf, twistedWords } from './prose.js';
import { sourceFiles } from './source-files.js';

/**
 * What older pages and sources still have. These numbers may only fall: who rewrites a page lowers them. The lab and
 * the changelog are diaries, whose words are not counted.
 */
const stillThere = { longSentences: 15, longInTheLab: 416, twistedOnPages: 0, twistedInSources: 300 };

const isPlain = (path: string) => path === 'README.md' || path === 'docs/README.md' || path.startsWith('docs/guide/');
const isDiary = (path: string) => path.startsWith('docs/lab/') || path === 'CHANGELOG.md';
const plain = pages().filter(({ path }) => isPlain(path));
const older = pages().filter(({ path }) => !isPlain(path) && !isDiary(path));

test('the README and the guide have sentences of 25 words at most, and none of the twisted words', () => {
  const faults = plain.flatMap(({ path, text }) =>
    [...longSentences(text), ...twistedWords(text)].map((fault) => `${path}: ${fault}`),
  );
  expect(faults).toEqual([]);
});

test('no other page gets longer sentences, or more twisted words, than it had', () => {
  expect(older.flatMap(({ text }) => longSentences(text)).length).toBeLessThanOrEqual(stillThere.longSentences);
  expect(older.flatMap(({ text }) => twistedWords(text)).length).toBeLessThanOrEqual(stillThere.twistedOnPages);
});

test('the README and docs/ without the lab have 45,000 words at most, so that they can be read', () => {
  const read = pages().filter(({ path }) => path === 'README.md' || (path.startsWith('docs/') && !isDiary(path)));
  const words = read.flatMap(({ text }) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)));
  expect(words.length).toBeLessThanOrEqual(45_000);
});

test('the lab gets no more long sentences than it had', () => {
  const lab = pages().filter(({ path }) => path.startsWith('docs/lab/'));
  expect(lab.flatMap(({ text }) => longSentences(text)).length).toBeLessThanOrEqual(stillThere.longInTheLab);
});

test('messages and comments get no more twisted words than they had', () => {
  const product = sourceFiles().filter(({ path }) => !/^(?:tests|bench)\/|\.test\.ts$/.test(path));
  expect(product.flatMap(({ text }) => twistedWords(text)).length).toBeLessThanOrEqual(stillThere.twistedInSources);
});

test('sentences are told apart: lists, cells and code are no part of them', () => {
  const text = '# A heading\n\nOne `a b c` two. Three\nfour.\n- five\n- six\n\n| a | b c |\n\n    code here\n';
  expect(sentencesOf(text)).toEqual(['One Code two.', 'Three four.', 'five', 'six', 'a', 'b c']);
  expect(longSentences(`${'word '.repeat(26)}.`)).toHaveLength(1);
  expect(twistedWords('So many of those who came')).toEqual(['So many', 'of those who']);
});
