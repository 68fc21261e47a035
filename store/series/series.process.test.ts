import { expect, test } from '@playwright/test';
import { scrape } from '../scrape/scrape-kind.js';

test('a page on loopback answers nobody who asks for another name, and a port that is taken is said', async () => {
  const opened = await scrape.read(':0', { perProbe: false }).open({ env: {}, onTrouble: () => undefined });
  const url = new URL(opened.description.replace('metrics page ', ''));
  const { request } = await import('node:http');
  const statusFor = (host: string) =>
    new Promise((resolve, reject) => {
      const asked = request(url, { headers: { host } }, (response) => resolve(response.resume().statusCode));
      asked.on('error', reject).end();
    });
  expect(await statusFor('evil.example')).toBe(403);
  expect(await statusFor(`localhost:${url.port}`)).toBe(200);
  const taken = scrape.read(`:${url.port}`, { perProbe: false }).open({ env: {}, onTrouble: () => undefined });
  await expect(taken).rejects.toMatchObject({ code: 'E_METRICS_LISTEN' });
  await opened.close();
});
