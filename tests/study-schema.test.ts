import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { studyResultJsonSchema } from '../model/study-result-schema.js';

test('docs/study.schema.json is what loadline study report --schema prints', () => {
  const stored = readFileSync(new URL('../docs/study.schema.json', import.meta.url), 'utf8');
  expect(JSON.parse(stored)).toEqual(JSON.parse(JSON.stringify(studyResultJsonSchema())));
});
