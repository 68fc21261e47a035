import { expect, test } from '@playwright/test';
import { residentMissing } from './resident-missing.js';

const join = (code: 'host-lost' | 'refused') => ({
  ...{ participant: '1p', session: '1', dueMs: 0, endedMs: 5 },
  failure: { code, detail: 'why' },
});

test('a presenter whose host went away ends its trial, and is not held against the media server', () => {
  expect(residentMissing(join('host-lost'))).toMatchObject({ end: { kind: 'crashed' } });
  expect(residentMissing(join('refused'))).toMatchObject({ code: 'E_SERVER_REFUSED', why: 'why' });
});
