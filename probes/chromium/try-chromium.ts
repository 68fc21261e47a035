import { tmpdir } from 'node:os';
import { removeFolder } from '../../host/remove-folder.js';
import { LoadlineError } from '../../model/errors.js';
import { openContext } from './open-context.js';

const boundMs = 20_000;
const origin = 'http://localhost/';

/** Camera and microphone as the page sees them, or the error's words. No DOM types here: it is text for the page. */
const askForMedia = `navigator.mediaDevices.getUserMedia({ video: true, audio: true }).then(
  (stream) => stream.getTracks().map((track) => track.kind).sort().join(' and '),
  (error) => 'refused: ' + String(error),
)`;

/** What is wrong with a Chromium, in words, and what to do where that is known. */
export interface ChromiumLack {
  readonly text: string;
  readonly todo?: string;
}

/**
 * Starts a Chromium headless and asks it for its fake camera and microphone, then ends it. Resolves with what was
 * wrong, `undefined` when nothing was. Never rejects.
 */
export async function whatChromiumLacks(chromiumPath: string): Promise<ChromiumLack | undefined> {
  try {
    const { context, folder } = await openContext({
      chromiumPath,
      temporaryRoot: tmpdir(),
      flags: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', '--mute-audio'],
    });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(boundMs);
      await page.route(`${origin}**`, (route) => route.fulfill({ contentType: 'text/html', body: '<title>x</title>' }));
      await page.goto(origin);
      const tracks = await page.evaluate<string>(askForMedia);
      return tracks === 'audio and video' ? undefined : { text: `it gives no fake camera and microphone (${tracks})` };
    } finally {
      await context.close();
      await removeFolder(folder);
    }
  } catch (error) {
    const text = error instanceof Error ? (error.message.split('\n')[0] ?? error.message) : String(error);
    const todo = error instanceof LoadlineError ? error.todo : undefined;
    return { text, ...(todo === undefined ? {} : { todo }) };
  }
}
