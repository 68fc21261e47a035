import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { type LocalSite, serveSite } from '../local-site.js';

export interface LogInApp extends LocalSite {
  /** Who has logged in, in order. */
  readonly loggedIn: readonly string[];
  /** What the app has given away: nothing of it may be stored. */
  tokens(): readonly string[];
}

export const passwordOf = (name: string): string => `pass-of-${name}-7Xq`;

const form = `<!doctype html><title>Log in</title><form method="post" action="/log-in">
<input name="name"><input type="password" name="password"><button>Log in</button></form>`;

/** A form, a cookie and an entry of localStorage: `/who` says who has them, and `/call` calls itself for who does. */
export async function startLogInApp(callPage: (token: string) => string): Promise<LogInApp> {
  const loggedIn: string[] = [];
  const names = new Map<string, string>();
  const site = await serveSite(async (request, response) => {
    response.setHeader('content-type', 'text/html');
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const token = tokenIn(request);
    const name = names.get(token);
    if (pathname === '/log-in' && request.method === 'POST') {
      const given = new URLSearchParams(await text(request));
      const who = given.get('name') ?? '';
      if (given.get('password') !== passwordOf(who)) return void response.writeHead(403).end('wrong password');
      const made = randomBytes(16).toString('hex');
      names.set(made, who);
      loggedIn.push(who);
      response.setHeader('set-cookie', `member=${made}; Path=/; HttpOnly`);
      response.end(
        `<title>Welcome</title><script>localStorage.setItem('held', JSON.stringify({ t: '${made}' }))</script>`,
      );
    } else if (pathname === '/log-in') response.end(form);
    else if (name === undefined) response.writeHead(302, { location: '/log-in' }).end();
    else if (pathname === '/who') response.end(`<title>${name}</title>`);
    else response.end(callPage(token));
  });
  return { ...site, loggedIn, tokens: () => [...names.keys()] };
}

const tokenIn = ({ headers }: IncomingMessage): string => /member=(\w+)/.exec(headers.cookie ?? '')?.[1] ?? '';

/** `prepare` of an app with a form. */
export const prepareLines = [
  'export const prepare = async ({ page, user }) => {',
  "  await page.goto('/log-in');",
  "  await page.fill('[name=name]', user.name);",
  "  await page.fill('[name=password]', user.password);",
  "  await page.click('button');",
  "  await page.waitForFunction(() => document.title === 'Welcome');",
  '};',
];

export function usersFile(count: number): string {
  const rows = Array.from({ length: count }, (_, nth) => `member-${nth + 1},${passwordOf(`member-${nth + 1}`)}`);
  return ['name,password', ...rows, ''].join('\n');
}
