import type { Page } from 'playwright-core';
import { shortText } from '../../model/plain-text.js';
import { mayNameSecret, redacted, withoutSecrets } from '../../model/secrets.js';

const mostLines = 80;
const mostCharacters = 400;
/** A shorter value of the environment may stand in any text by chance. */
const shortestSecret = 4;

/** What a page said and what befell it, the newest last, without the secrets of the environment. */
export class PageDiary {
  private readonly lines: string[] = [];
  private readonly clean: (text: string) => string;
  private lastDialog: string | undefined;

  constructor(page: Page, clean: (text: string) => string) {
    this.clean = clean;
    page.on('console', (message) => this.note(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => this.note(`error: ${error.stack ?? error.message}`));
    page.on('response', (response) => {
      if (response.status() >= 400) this.note(`${response.status()} ${response.url()}`);
    });
    page.on('requestfailed', (request) => this.note(`${request.failure()?.errorText ?? 'failed'} ${request.url()}`));
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame()) this.note(`at ${frame.url()}`);
    });
    page.on('dialog', (dialog) => {
      this.lastDialog = this.note(`dialog (${dialog.type()}): ${dialog.message()}`);
      // A page waits for the answer; nobody is there to give one but us. Leaving is let happen.
      const answered = dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss();
      answered.catch(() => undefined);
    });
  }

  get text(): string {
    return this.lines.join('\n');
  }

  /** The last dialog that the page showed. */
  get dialog(): string | undefined {
    return this.lastDialog;
  }

  private note(line: string): string {
    const short = shortText(this.clean(line), mostCharacters);
    this.lines.push(short);
    if (this.lines.length > mostLines) this.lines.shift();
    return short;
  }
}

/** By its name; of this program's own variables all but those that hold a path, a network or a choice. */
const mayHoldSecret = (name: string) =>
  mayNameSecret(name) || /^LOADLINE_(?!(?:CHROMIUM|ALLOW|NO_SETUP|BUS_CA|BUS_CERT)$)/.test(name);

/** Takes out of a text what the environment holds under the names of secrets, and what is named as a secret in it. */
export function withoutSecretsOf(env: Readonly<Record<string, string | undefined>>): (text: string) => string {
  const values = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && value.length >= shortestSecret && mayHoldSecret(name)
      ? [value, encodeURIComponent(value)]
      : [],
  );
  const longestFirst = [...new Set(values)].sort((one, other) => other.length - one.length);
  return (text) => withoutSecrets(longestFirst.reduce((clean, value) => clean.replaceAll(value, redacted), text));
}
