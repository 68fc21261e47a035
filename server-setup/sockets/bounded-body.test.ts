import { expect, test } from '@playwright/test';
import { boundedText } from './bounded-body.js';
import { messageBytesMax } from './socket-bounds.js';

test('a body is read whole, though a letter is cut in two', async () => {
  const bytes = new TextEncoder().encode('ü is two bytes');
  const cut = new ReadableStream<Uint8Array>({
    start: (to) => {
      to.enqueue(bytes.subarray(0, 1));
      to.enqueue(bytes.subarray(1));
      to.close();
    },
  });
  expect(await boundedText(new Response(cut))).toBe('ü is two bytes');
  expect(await boundedText(new Response(null))).toBe('');
});

test('a body without an end is let go at the bound', async () => {
  let given = 0;
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (to) => {
      given += 1 << 20;
      to.enqueue(new Uint8Array(1 << 20));
    },
    cancel: () => {
      isCancelled = true;
    },
  });
  await expect(boundedText(new Response(endless))).rejects.toThrow('a body of more than 4 MiB');
  expect(isCancelled).toBe(true);
  expect(given).toBeLessThanOrEqual(messageBytesMax + (3 << 20));
});
