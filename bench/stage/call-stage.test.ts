import { expect, test } from '@playwright/test';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { planOf } from './call-stage.js';
import { playedBy } from './played-by.js';

const stage = { scenario: oneToOne, probesPerPage: 8, pagesPerBrowser: 4 };

test('encoded probes of a bench are encoded, and those of another kind are not', () => {
  expect(planOf({ ...stage, ...playedBy.encoded }).players).toEqual({ kind: 'encoded', fullShare: 0 });
  expect(planOf({ ...stage, ...playedBy.full }).players).toEqual({ kind: 'full' });
});
