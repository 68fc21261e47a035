import { expect, test } from '@playwright/test';
import { JanusRefusal, listSessions } from './refusals.js';

test('each of the two secrets that a Janus may refuse is named by its own variable', () => {
  const todo = (what: string) => new JanusRefusal(what, 403, 'Unauthorized').todo;
  expect(todo('create')).toContain('LOADLINE_JANUS_API_SECRET to the api_secret');
  expect(todo(listSessions)).toContain('LOADLINE_JANUS_ADMIN_SECRET to the admin_secret');
});
