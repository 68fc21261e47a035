import { expect, test } from '@playwright/test';
import type { ProbeFailureCode } from '../model/trial.js';
import { residentMissing } from './arriving-resident.js';

const join = (code: ProbeFailureCode) => ({
  ...{ participant: '1p', session: '1', dueMs: 0, endedMs: 5 },
  failure: { code, detail: 'why' },
});

test('a presenter whose page, browser or host fell ends its trial, and is not held against the media server', () => {
  for (const code of ['page-crashed', 'page-error', 'browser-crashed', 'browser-start', 'host-lost'] as const) {
    expect(residentMissing(join(code), true), code).toMatchObject({ end: { kind: 'crashed' } });
  }
  expect(residentMissing(join('refused'), true)).toMatchObject({ code: 'E_SERVER_REFUSED', why: 'why' });
});

test('a presenter whose browser did not ask in time is not held against the media server, one that was not answered is', () => {
  const late = { ...join('signalling-timeout'), begunMs: 1, createdMs: 2 };
  expect(residentMissing(late, true)).toMatchObject({ end: { kind: 'stuck', text: expect.stringContaining('1p') } });
  expect(residentMissing({ ...late, describedMs: 3 }, true)).toMatchObject({ code: 'E_SERVER_REFUSED' });
  // Who signals alone has no description to wait for.
  expect(residentMissing(late, false)).toMatchObject({ code: 'E_SERVER_REFUSED' });
});
