import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { soon } from '../../tests/soon.js';
import { scrapedEvidence } from './scraped-evidence.js';

let server: Server;
let answers: ((request: IncomingMessage, response: ServerResponse) => void)[] = [];

/** Answers each request by the next of the script, and the last again and again. */
test.beforeEach(async () => {
  answers = [];
  server = createServer((request, response) => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    answer?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
test.afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
const page = (text: string) => (_: IncomingMessage, response: ServerResponse) => void response.end(text);
const memory = (mb: number) => page(`node_memory_MemTotal_bytes ${mb * 1024 * 1024}\n`);

test('a scrape that fails is a reading that says why, and the next one is read', async () => {
  answers = [
    memory(1),
    (_, response) => void response.writeHead(503).end('busy'),
    page('<html>'),
    (request) => void request.socket.destroy(),
    memory(2),
  ];
  const read = scrapedEvidence({ urls: [address()], metrics: [] });
  const readings = [];
  for (let nth = 0; nth < 5; nth += 1) readings.push(...(await read()));
  expect(readings.map(({ hostMemoryMb }) => hostMemoryMb)).toEqual([1, undefined, undefined, undefined, 2]);
  expect(readings[1]?.failure).toContain('503');
  expect(readings[2]?.failure).toContain('line 1 is no metric');
  expect(readings[3]?.failure).toMatch(/\S/);
});

test('a page that is as it was gives no second reading of the same', async () => {
  answers = [memory(1)];
  const read = scrapedEvidence({ urls: [address()], metrics: [] });
  expect((await read())[0]?.hostMemoryMb).toBe(1);
  expect(await read()).toEqual([expect.objectContaining({ unchanged: true })]);
});

test('an address where nobody listens is a gap, and the other page is read all the same', async () => {
  answers = [memory(3)];
  const closed = createServer();
  await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
  const nobody = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/metrics`;
  await new Promise((resolve) => closed.close(resolve));
  const readings = await scrapedEvidence({ urls: [nobody, address()], metrics: [] })();
  expect(readings.find(({ source }) => source === nobody)?.failure).toContain('ECONNREFUSED');
  expect(readings.find(({ source }) => source === address())?.hostMemoryMb).toBe(3);
});

test('a page that is slow holds nobody up, is asked once at a time, and is given when it has come', async () => {
  let late: ServerResponse | undefined;
  let asked = 0;
  answers = [
    (_, response) => {
      asked += 1;
      late = response;
    },
  ];
  const read = scrapedEvidence({ urls: [address()], metrics: [] });
  expect(await read()).toEqual([]);
  expect(await read()).toEqual([]);
  expect(asked).toBe(1);
  late?.end('node_memory_MemTotal_bytes 1048576\n');
  await soon(async () => (await read())[0]?.hostMemoryMb).toBe(1);
});

test('the token goes into the header and nowhere else', async () => {
  let header: string | undefined;
  answers = [
    (request, response) => {
      header = request.headers.authorization;
      response.writeHead(401).end();
    },
  ];
  const readings = await scrapedEvidence({ urls: [address()], metrics: [], token: 'hush' })();
  expect(header).toBe('Bearer hush');
  expect(JSON.stringify(readings)).not.toContain('hush');
});
