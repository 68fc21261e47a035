import { getuid } from 'node:process';
import { chromium } from 'playwright-core';

const boundMs = 20_000;
const origin = 'http://localhost/';

/** Camera and microphone as the page sees them, or the error's words. No DOM types here: it is text for the page. */
const askForMedia = `navigator.mediaDevices.getUserMedia({ video: true, audio: true }).then(
  (stream) => stream.getTracks().map((track) => track.kind).sort().join(' and '),
  (error) => 'refused: ' + String(error),
)`;

/**
 * Starts a Chromium headless and asks it for its fake camera and microphone, then ends it. Resolves with what was
 * wrong, `undefined` when nothing was. Never rejects.
 */
export async function whatChromiumLacks(executablePath: string): Promise<string | undefined> {
  try {
    const browser = await chromium.launch({
      executablePath,
      headless: true,
      // Chromium refuses to run sandboxed as root (the uid of root is 0).
      chromiumSandbox: getuid?.() !== 0,
      args: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', '--mute-audio'],
      timeout: boundMs,
    });
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(boundMs);
      await page.route(`${origin}**`, (route) => route.fulfill({ contentType: 'text/html', body: '<title>x</title>' }));
      await page.goto(origin);
      const tracks = await page.evaluate<string>(askForMedia);
      return tracks === 'audio and video' ? undefined : `it gives no fake camera and microphone (${tracks})`;
    } finally {
      await browser.close();
    }
  } catch (error) {
    return error instanceof Error ? (error.message.split('\n')[0] ?? error.message) : String(error);
  }
}
