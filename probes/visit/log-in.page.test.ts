import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect } from '@playwright/test';
import { mediaSchema } from '../../model/plan.js';
import { makeCertificate } from '../../server-setup/turn/certificate.js';
import { keyAt, keysOfApp } from '../../server-setup/web-app/trusted-key.js';
import { serveSite } from '../../tests/local-site.js';
import { passwordOf, prepareLines, startLogInApp, usersFile } from '../../tests/visit/log-in-app.js';
import { test, type VisitStage } from '../../tests/visit/visit-stage.js';
import { mediaFiles } from '../chromium/media/media-files.js';
import { contextFor, logAllIn } from './log-in.js';
import { LogIns } from './log-ins.js';
import { readUsers } from './users-file.js';
import { type ReadyVisit, readyVisit } from './visit-order.js';
import { launchVisitingBrowser } from './visiting-browser.js';

const { signal } = new AbortController();

async function titleOf(visit: ReadyVisit, stage: VisitStage, nth: number, path: string): Promise<string> {
  const context = await contextFor(visit, stage.browser, nth);
  try {
    const page = await context.newPage();
    await page.goto(path);
    return await page.title();
  } finally {
    await context.close();
  }
}

test('fifty identities log in once each, and every page of a later trial is theirs without logging in', async ({
  stage,
}) => {
  const app = await startLogInApp(() => '');
  const files = ['join.mjs', 'users.csv'].map((name) => join(dirname(stage.observerPath), name));
  const [script = '', csv = ''] = files;
  try {
    await writeFile(script, [...prepareLines, 'export default () => undefined;'].join('\n'));
    await writeFile(csv, usersFile(50));
    const logIns = new LogIns(await readUsers(csv));
    const order = { url: `${app.origin}/{session}`, env: {}, join: script, logIns };
    const places = Array.from({ length: 50 }, (_, nth) => nth);
    const first = await readyVisit(order, stage.observerPath);
    expect(await logAllIn(first, stage.browser, places, signal)).toBeUndefined();
    expect(app.loggedIn.toSorted()).toEqual(places.map((nth) => `member-${nth + 1}`).toSorted());
    const later = await readyVisit(order, stage.observerPath);
    expect(await logAllIn(later, stage.browser, places, signal)).toBeUndefined();
    const titles = await Promise.all([0, 7, 49].map((nth) => titleOf(later, stage, nth, '/who')));
    expect(titles).toEqual(['member-1', 'member-8', 'member-50']);
    expect(app.loggedIn.length).toBe(50);
    const said = [...app.tokens(), passwordOf('member-7')].map((secret) => later.clean(`it said ${secret}.`));
    expect([...new Set(said)]).toEqual(['it said ***.']);
    expect(() =>
      later.orderFor({ session: '1', participant: '1a', role: 'm', index: 0 }, 50, { deadlineMs: 1000, signal }),
    ).toThrow('--users has 50 users for 51 participants');
  } finally {
    await app.close();
    await Promise.all(files.map((path) => rm(path, { force: true })));
  }
});

test('who cannot log in is named with the line, without the password, and may try again', async ({ stage }) => {
  const app = await startLogInApp(() => '');
  const script = join(dirname(stage.observerPath), 'join.mjs');
  try {
    const lines = [
      'let times = 0;',
      'export const prepare = async ({ env, user }) => {',
      '  times += 1;',
      "  if (times === 1) throw new Error('not ' + env.APP_PASSWORD + ' of ' + user.password);",
      '};',
      'export default () => undefined;',
    ];
    await writeFile(script, lines.join('\n'));
    const logIns = new LogIns([{ name: 'x', password: 'pw of x' }]);
    const env = { APP_PASSWORD: 'hunter2' };
    const visit = await readyVisit({ url: `${app.origin}/{session}`, env, join: script, logIns }, stage.observerPath);
    const told = await logAllIn(visit, stage.browser, [0], signal);
    expect(told).toBe('user 1 of --users cannot log in: at join.mjs:4, not *** of ***');
    expect(await logAllIn(visit, stage.browser, [0], signal)).toBeUndefined();
  } finally {
    await app.close();
    await rm(script, { force: true });
  }
});

test('an app that asks by HTTP is given the name of the environment, and no other origin is', async ({ stage }) => {
  const asked: string[] = [];
  const asking = () =>
    serveSite((request, response) => {
      const { authorization } = request.headers;
      asked.push(authorization ?? 'none');
      if (authorization === undefined) response.writeHead(401, { 'www-authenticate': 'Basic realm="app"' }).end();
      else response.setHeader('content-type', 'text/html').end('<title>in</title>');
    });
  const [app, other] = [await asking(), await asking()];
  try {
    const env = { LOADLINE_APP_USER: 'eve', LOADLINE_APP_PASSWORD: 'secret9' };
    const visit = await readyVisit({ url: `${app.origin}/{session}`, env }, stage.observerPath);
    expect(await titleOf(visit, stage, 0, '/')).toBe('in');
    expect(await titleOf(visit, stage, 0, other.origin).catch(() => 'out')).not.toBe('in');
    const login = `Basic ${Buffer.from('eve:secret9').toString('base64')}`;
    expect([...new Set(asked)]).toEqual(['none', login]);
  } finally {
    await app.close();
    await other.close();
  }
});

test('a page opens with a certificate that Node has checked by an authority of its own, and with no other', async ({
  stage,
}) => {
  const [own, other] = [await makeCertificate(), await makeCertificate()];
  const serve = async ({ certificatePem: cert, keyPem: key }: typeof own) => {
    const server = createServer({ cert, key }, (_request, response) => response.end('<title>here</title>'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { server, port: (server.address() as AddressInfo).port };
  };
  const [app, stranger] = [await serve(own), await serve(other)];
  const files = await mediaFiles(stage.cacheFolder, mediaSchema.parse({ width: 320, height: 180 }));
  const temporaryRoot = dirname(stage.observerPath);
  const trustedKeys = [own.publicKeySha256];
  const visited = { url: `https://localhost:${app.port}/{session}`, trustedKeys };
  const browser = await launchVisitingBrowser({ chromiumPath: stage.chromiumPath, files, temporaryRoot, app: visited });
  try {
    const page = await (await browser.newContext()).newPage();
    await page.goto(`https://localhost:${app.port}/`);
    await expect(page.goto(`https://localhost:${stranger.port}/`)).rejects.toThrow('ERR_CERT');
    expect(await keyAt('127.0.0.1', stranger.port, own.certificatePem)).toBeUndefined();
    expect(await keysOfApp(`https://localhost:${app.port}/`, {})).toEqual([]);
  } finally {
    await browser.close();
    app.server.close();
    stranger.server.close();
  }
});
