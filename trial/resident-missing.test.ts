import { expect, test } from '@playwright/test';
import type { ProbeFailureCode } from '../model/trial.js';
import { residentMissing } from './resident-missing.js';

const join = (code: ProbeFailureCode) => ({
  ...{ participant: '1p', session: '1', dueMs: 0, endedMs: 5 },
  failure: { code, detail: 'why' },
});

test('a presenter whose page, browser or host fell ends its trial, and is not held against the media server', () => {
  for (const code of ['page-crashed', 'page-error', 'browser-crashed', 'browser-start', 'host-lost'] as const) {
    expect(residentMissing(join(code)), code).toMatchObject({ end: { kind: 'crashed' } });
  }
  expect(residentMissing(join('refused'))).toMatchObject({ code: 'E_SERVER_REFUSED', why: 'why' });
});
