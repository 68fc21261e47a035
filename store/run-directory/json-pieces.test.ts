import { expect, test } from '@playwright/test';
import { jsonPieces } from './seal.js';

test('the pieces of a document are its JSON, to the byte', () => {
  const lists = [0, 1, 249, 250, 251, 500, 1234].map((length) =>
    Array.from({ length }, (_, index) => (index % 7 === 0 ? undefined : { index, text: 'a"\u2028', none: undefined })),
  );
  for (const list of lists) {
    const document = { first: 1, none: undefined, list, nested: { list }, 'a "name"': null, last: list };
    expect([...jsonPieces(document)].join('')).toBe(JSON.stringify(document));
  }
  expect([...jsonPieces({})].join('')).toBe('{}');
  expect([...jsonPieces({ none: undefined })].join('')).toBe('{}');
});

test('no piece of a long list is long', () => {
  const streams = Array.from({ length: 20_000 }, (_, index) => ({ index }));
  expect(Math.max(...[...jsonPieces({ streams })].map(({ length }) => length))).toBeLessThan(250 * 20);
});
