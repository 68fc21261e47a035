import { expect, test } from '@playwright/test';
import { readFrames } from './frame.js';
import { methodOf } from './methods.js';

test('texts joined in one message are cut behind their last braces, whatever stands in their strings', () => {
  const frames = [
    { id: 1, text: '}{"' },
    { id: 2, text: '\\' },
    { id: 3, deep: { er: '\\"}' } },
  ];
  expect(readFrames(frames.map((frame) => JSON.stringify(frame)).join(' \n'))).toEqual(frames);
  expect(readFrames(`${JSON.stringify(frames[0])}"`)).toBeUndefined();
  expect(readFrames('{"a":1}{"b":')).toBeUndefined();
  expect(readFrames('}{}')).toBeUndefined();
});

test('what every object inherits is no method', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', ''])
    expect(() => methodOf(name)).toThrow('Method not found');
  expect(methodOf('create')).toBeInstanceOf(Function);
});
