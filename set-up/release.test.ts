import { expect, test } from '@playwright/test';
import { audited, licenceText, shippedPackages, unknownLicences } from './release.mjs';

test('every package that ships says a licence that is free to ship, or somebody has looked', () => {
  const packages = shippedPackages();
  expect(unknownLicences(packages)).toEqual([]);
  const names = packages.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['commander', 'esbuild', 'snappyjs', 'werift']));
  expect(names).not.toContain('@biomejs/biome');
  expect(licenceText(packages)).toContain('snappyjs 0.7.0: MIT\n\n');
});

test('a package of a licence that nobody has looked at is named', () => {
  const one = (license: string | undefined) => ({ name: 'x', version: '1.0.0', path: 'node_modules/x', license });
  expect(unknownLicences([one('AGPL-3.0'), one(undefined), one('(MIT OR GPL-3.0)'), one('MIT')])).toEqual([
    'x 1.0.0 says AGPL-3.0 of its licence',
    'x 1.0.0 says nothing of its licence',
  ]);
});

test('an audit that finds something fails, and so does one that nobody answered', () => {
  const json = (value: object) => ({ status: 1, stdout: JSON.stringify(value) });
  const none = json({ metadata: { vulnerabilities: { total: 0 } } });
  expect(audited(none)).toEqual({ ok: true, text: 'no known vulnerability' });
  const some = json({ metadata: { vulnerabilities: { total: 2 } }, vulnerabilities: { ws: {}, 'a-b': {} } });
  expect(audited(some)).toEqual({ ok: false, text: '2 known vulnerabilities: ws, a-b' });
  expect(audited(json({ message: '405 Method Not Allowed' })).text).toMatch(
    /^could not be asked: 405 Method Not Allowed; /,
  );
  expect(audited({ status: null, stdout: '' })).toEqual({
    ok: false,
    text: expect.stringMatching(/^could not be asked: npm audit ended with null; /),
  });
});
