import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect } from '@playwright/test';
import { mediaSchema } from '../../model/plan.js';
import { makeCertificate } from '../../server-setup/turn/certificate.js';
import { long } from '../../tests/effort.js';
import { test, type VisitStage } from '../../tests/visit/visit-stage.js';
import { lookAtSession } from './look.js';

const deadlineMs = 4_000;

/** What one visitor's look ends with. */
async function lookedAt(stage: VisitStage, url: string, lines?: readonly string[]): Promise<string> {
  const path = join(dirname(stage.observerPath), 'join.mjs');
  if (lines) await writeFile(path, lines.join('\n'));
  try {
    const [seen] = await lookAtSession({
      order: { url, env: {}, ...(lines ? { join: path } : {}) },
      visitors: [{ session: '1', participant: '1a', role: 'member', index: 0 }],
      chromiumPath: stage.chromiumPath,
      cacheFolder: stage.cacheFolder,
      media: mediaSchema.parse({ width: 320, height: 180 }),
      deadlineMs,
      pauseMs: 0,
      signal: new AbortController().signal,
      observerPath: stage.observerPath,
    });
    return seen?.failure ? `${seen.failure.code}: ${seen.failure.detail}` : 'no failure';
  } finally {
    await rm(path, { force: true });
  }
}

async function untrustedServer() {
  const { certificatePem, keyPem } = await makeCertificate();
  const server = createServer({ cert: certificatePem, key: keyPem }, (_request, response) => response.end('here'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `https://localhost:${(server.address() as AddressInfo).port}/` };
}

test(
  'each reason for which somebody cannot join an app is named within the time that there is',
  long,
  async ({ stage }) => {
    const { origin } = stage.app;
    const { server, url } = await untrustedServer();
    const waits = ['export default async ({ page }) => {', "  await page.click('#join');", '};'];
    try {
      const found: Record<string, string> = {
        throws: await lookedAt(stage, `${origin}/?act=nothing`, [
          "export default () => { throw new Error('no room'); };",
        ]),
        'never returns': await lookedAt(stage, `${origin}/?act=nothing`, [
          'export default () => new Promise(() => {});',
        ]),
        'waits in vain': await lookedAt(stage, `${origin}/?act=nothing`, waits),
        'log-in': await lookedAt(stage, `${origin}/private`, waits),
        dialog: await lookedAt(stage, `${origin}/?act=dialog`, waits),
        missing: await lookedAt(stage, `${origin}/missing`),
        certificate: await lookedAt(stage, url),
      };
      const named = Object.entries(found).map(([name, text]) => [name, text.replaceAll(origin, '')]);
      const waited = 'join-script: the join script threw at join.mjs:2: page.click: Timeout 3600ms exceeded. ';
      expect(Object.fromEntries(named)).toEqual({
        throws: 'join-script: the join script threw at join.mjs:1: no room',
        'never returns': 'join-script: the join script has not returned in 4 s',
        'waits in vain': expect.stringContaining(waited),
        'log-in': expect.stringMatching(/join\.mjs:2.*\(it is at \/log-in; it asks for a password\)$/),
        dialog: expect.stringContaining('(it showed a dialog (alert): who are you?)'),
        missing: 'page-not-opened: the page answers 404 Not Found',
        certificate: expect.stringContaining('net::ERR_CERT_'),
      });
    } finally {
      server.close();
    }
  },
);
