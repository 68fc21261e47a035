import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { expect, test } from '@playwright/test';
import { long } from '../effort.js';
import { startLoadline } from './run-loadline.js';

const listening =
  /^listening ws:\/\/127\.0\.0\.1:(\d+)\/kurento\nwhip http:\/\/127\.0\.0\.1:\1\/\{stream\}\/whip\nwhep http:\/\/127\.0\.0\.1:\1\/\{stream\}\/whep\n$/;

/** Waits for what is first said on stdout. Rejects when the process ends before it. */
function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    child.once('close', (code) => reject(new Error(`serve ended with ${code} before it listened`)));
  });
}

/** Whether an HTTP server answers there. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    request({ host: '127.0.0.1', port, path: '/loadline/resources' }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    })
      .on('error', () => resolve(false))
      .end();
  });
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`serve says where it listens, and ${signal} ends it with 0`, signal === 'SIGTERM' ? {} : long, async () => {
    const child = startLoadline(['serve']);
    try {
      const line = await firstLine(child);
      expect(line).toMatch(listening);
      const port = Number(listening.exec(line)?.[1]);
      expect(await answers(port)).toBe(true);
      child.kill(signal);
      expect(await once(child, 'close')).toEqual([0, null]);
      expect(await answers(port)).toBe(false);
    } finally {
      child.kill('SIGKILL');
    }
  });
}

test('serve --exit-with-stdin ends when its standard input closes, so a killed parent leaves nothing', async () => {
  const child = startLoadline(['serve', '--exit-with-stdin']);
  try {
    expect(await firstLine(child)).toMatch(listening);
    child.stdin.destroy();
    expect(await once(child, 'close')).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});

test('serve without --exit-with-stdin outlives its standard input', long, async () => {
  const child = startLoadline(['serve']);
  try {
    const line = await firstLine(child);
    child.stdin.destroy();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await answers(Number(listening.exec(line)?.[1]))).toBe(true);
  } finally {
    child.kill('SIGKILL');
  }
});
