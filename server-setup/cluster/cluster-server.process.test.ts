import { expect, test } from '@playwright/test';
import { askedPlacer } from './placer.js';

test('a command places sessions by name; one that fails, names no server or takes too long refuses the session', async () => {
  const candidates = [
    { name: 'A', weight: 1, sessions: 2 },
    { name: 'B', weight: 1, sessions: 0 },
  ];
  const placed = await askedPlacer(
    `node -e 'const {servers} = JSON.parse(require("fs").readFileSync(0)); console.log(servers.find((one) => one.sessions === 0).name)'`,
  )('7', candidates);
  expect(placed).toBe(1);
  const whyOf = (command: string, ms?: number) =>
    askedPlacer(command, ms)('7', candidates).then(String, ({ why }) => why as string);
  expect(await whyOf('echo C')).toBe('it wrote "C", and the servers are A, B');
  expect(await whyOf('echo sorry >&2; exit 3')).toBe('it ended with 3: sorry');
  expect(await whyOf('sleep 9', 50)).toBe('it took longer than 0.05 s');
});
