import { expect, test } from '@playwright/test';
import { conformanceReport } from '../cli/doctor/conformance-report.js';
import { startEmbeddedServer } from '../embedded-server/server.js';
import { offerOf } from '../probes/signalling/offer.js';
import { whipKind } from '../server-setup/whip/kind.js';
import { anAnswer, scriptedWhip, type WhipScript } from './scripted-whip.js';

const offer = offerOf({ id: 'p', sends: ['audio', 'video'], receives: [] }, 'in-one-message');
const { signal } = new AbortController();

async function checksOf(url: string) {
  const checks = (await whipKind.conformance?.({ server: { kind: 'whip', url }, offer, signal })) ?? [];
  const departs = checks.filter(({ mark }) => mark === 'departs').map(({ section, text }) => `${section} ${text}`);
  return { checks, departs };
}

test('the embedded server departs from RFC 9725 in nothing, which fits a page', async () => {
  const server = await startEmbeddedServer({ port: 0 });
  try {
    const { checks, departs } = await checksOf(server.whip);
    expect(departs).toEqual([]);
    const { text, exitCode } = conformanceReport(checks, server.whip);
    expect(exitCode).toBe(0);
    expect(text).toContain('No departure from what must be');
    const lines = text.split('\n');
    expect(lines.length).toBeLessThanOrEqual(45);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  } finally {
    await server.close();
  }
});

const answer = `${anAnswer}a=recvonly\r\na=rtcp-mux\r\na=candidate:1 1 udp 1 192.0.2.1 9 typ host\r\n`;
const created = {
  status: 201,
  headers: { location: '/s/1', 'content-type': 'application/sdp', etag: '"1"' },
  text: answer,
};
const isOffer = (body: string) => body.includes('m=audio');
const withoutTag: WhipScript = ({ method, body }) => {
  if (method === 'PATCH') return { status: 204 };
  return method === 'POST' && isOffer(body) ? { ...created, headers: { location: '/s/1' } } : undefined;
};

for (const [what, script, departs] of [
  [
    'no Location',
    ({ method, body }) => (method === 'POST' && isOffer(body) ? { ...created, headers: {} } : undefined),
    /^4\.2 Location: none/,
  ],
  [
    '405 to DELETE',
    ({ method }) => (method === 'DELETE' ? { status: 405 } : undefined),
    /^4\.2 DELETE of the session: 405/,
  ],
  [
    'an ETag that a DELETE must have',
    ({ method, headers }) => (method === 'DELETE' && headers['if-match'] !== undefined ? { status: 412 } : undefined),
    /^4\.3\.1 DELETE with another ETag: 412/,
  ],
  [
    'a type that nobody asked for',
    ({ method, headers }) =>
      method === 'POST' && headers['content-type'] === 'text/plain' ? { status: 201, text: 'ok' } : undefined,
    /^4\.2 POST of another type: 201/,
  ],
  [
    '500 to what is malformed',
    ({ method, body }) => (method === 'POST' && !isOffer(body) ? { status: 500 } : undefined),
    /^4\.2 POST of a malformed SDP: 500/,
  ],
  ['405 to GET', ({ method }) => (method === 'GET' ? { status: 405 } : undefined), /^4\.1 GET of the endpoint: 405/],
  [
    'a redirect by 302',
    ({ method }) => (method === 'POST' ? { status: 302, headers: { location: '/x' } } : undefined),
    /^4\.2 POST of an offer: it redirects a POST by 302/,
  ],
  [
    'candidates with 200 and an ETag',
    ({ method }) => (method === 'PATCH' ? { status: 200, headers: { etag: '"2"' } } : undefined),
    /^4\.3\.2 candidates by PATCH: 200/,
  ],
  [
    'no ETag where ICE can be restarted',
    (request) =>
      request.method === 'PATCH' && request.headers['if-match'] === '*'
        ? { status: 200, headers: { etag: '"2"' }, text: 'a=ice-ufrag:u\r\na=ice-pwd:p\r\n' }
        : withoutTag(request),
    /^4\.3\.1 ETag of the session: none/,
  ],
] as const satisfies readonly (readonly [string, WhipScript, RegExp])[]) {
  test(`${what} departs from RFC 9725, by its section`, async () => {
    const scripted = await scriptedWhip(script);
    try {
      const { checks, departs: found } = await checksOf(scripted.whip);
      expect(
        found.some((text) => departs.test(text)),
        found.join('\n'),
      ).toBe(true);
      expect(conformanceReport(checks, scripted.whip).exitCode).toBe(2);
    } finally {
      await scripted.close();
    }
  });
}

test('where candidates alone are taken no ETag is advised against, and a 405 to GET is told to be the rule of drafts', async () => {
  const scripted = await scriptedWhip((request) => (request.method === 'GET' ? { status: 405 } : withoutTag(request)));
  try {
    const { checks } = await checksOf(scripted.whip);
    const found = (text: string) => checks.find((check) => check.text.startsWith(text));
    expect(found('ETag of the session: none')).toMatchObject({ mark: 'advised', section: '4.3.2' });
    const rule = 'MUST be a 2xx without content (405 was the rule of drafts to 14)';
    expect(found('GET of the endpoint: 405')).toMatchObject({ mark: 'departs', section: '4.1', rule });
  } finally {
    await scripted.close();
  }
});

test('what a server says is shown without control characters, and no line is wider than a terminal', () => {
  const text = `POST: ${'\u001b[31m'.repeat(3)}${'x'.repeat(500)}`;
  const report = conformanceReport([{ mark: 'departs', section: '4.2', text, rule: 'MUST' }], 'http://h').text;
  expect(report).not.toContain('\u001b');
  expect(Math.max(...report.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
});
