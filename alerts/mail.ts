import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type AlertTarget, alertDocument } from './target.js';

interface MailOptions {
  /** `smtp://host:587` or `smtps://user@host:465`. */
  readonly server: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly password?: string;
  /** The folder of the runs. */
  readonly runs: string;
}

const waitMs = 15_000;

/**
 * Sends the alert as a plain text mail over SMTP; with TLS from the start for `smtps`, else with STARTTLS where
 * offered, and not at all where it is not while there is a password to show.
 */
export function mailTarget({ server, from, to, password, runs }: MailOptions): AlertTarget {
  const { protocol, hostname: mailHost, port, username } = new URL(server);
  const secure = protocol === 'smtps:';
  const usedPort = port === '' ? (secure ? 465 : 587) : Number(port);
  const user = decodeURIComponent(username);
  return {
    name: 'mail',
    todo: `see that a mail server answers this host at ${mailHost}:${usedPort}, or correct alerts.mail.server; one that wants no log-in is smtp://HOST:25`,
    async tell(alert, signal) {
      // Loaded late: few have mail to send, and every start would wait for it.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        host: mailHost,
        port: usedPort,
        secure,
        // Without, whoever is on the way could take STARTTLS out of what the server offers, and read the password (RFC
        // 3207, 6).
        requireTLS: user !== '',
        ...(user === '' ? {} : { auth: { user, pass: password ?? '' } }),
        connectionTimeout: waitMs,
        greetingTimeout: waitMs,
        socketTimeout: waitMs,
      });
      const close = () => transport.close();
      signal.addEventListener('abort', close, { once: true });
      try {
        const { text, at, run } = alertDocument(alert);
        const body = [
          text,
          '',
          `At   ${at}`,
          `Host ${hostname()}`,
          ...(run === null ? [] : linesOf(join(runs, run))),
          '',
        ].join('\n');
        await transport.sendMail({
          from,
          to: [...to],
          subject: `[loadline] ${alert.watch}: ${alert.kind}`,
          text: body,
          messageId: `<${alert.id.replace(/[^A-Za-z0-9.-]/g, '.')}.${alert.kind}@loadline>`,
        });
      } catch (error) {
        throw new Error(`the mail was not taken: ${error instanceof Error ? error.message : String(error)}`);
      } finally {
        signal.removeEventListener('abort', close);
        transport.close();
      }
    },
  };
}

/** Where a run is to be seen on the host of the monitor. */
function linesOf(directory: string): readonly string[] {
  const page = join(directory, 'report.html');
  return [`Run  ${directory}`, existsSync(page) ? `Page ${page}` : `Page loadline report ${directory}`];
}
