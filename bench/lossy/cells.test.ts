import { expect, test } from '@playwright/test';
import { type Cell, cellsTable } from './cells.js';

const cell: Cell = { server: 'embedded', calls: 1, lossPercent: 3, roundTripMs: 80, recorded: false };

test('a link is one row with both servers, what was not measured is a dash, and why stands below', () => {
  const text = cellsTable([
    { ...cell, server: 'janus', recorded: true, why: 'it does not record' },
    { ...cell, recorded: true, figures: { frozenPercent: 0, fileFramesPercent: 99.6 } },
    { ...cell, server: 'janus', figures: { frozenPercent: 2.04, fps: 29.96 } },
    { ...cell, figures: { frozenPercent: 0, fps: 30, serverCores: 0.0512 } },
    { ...cell, roundTripMs: 20, figures: { frozenPercent: 1 } },
  ]);
  expect(text.split('\n').slice(2)).toEqual([
    '| 1 | no | 3 % | 20 ms | 1.0, - | -, - | -, - | -, - | -, - | -, - | -, - |',
    '| 1 | no | 3 % | 80 ms | 0.0, 2.0 | 30.0, 30.0 | -, - | -, - | -, - | 0.051, - | -, - |',
    '| 1 | yes | 3 % | 80 ms | 0.0, - | -, - | -, - | -, - | 100, - | -, - | -, - |',
    '',
    '- janus, 1 call, 3 %, 80 ms, recorded: it does not record',
    '',
  ]);
});
