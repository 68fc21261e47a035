import type { AlertEntry } from '../model/monitor.js';

/** A test is of no watch, and in no journal. */
export type Alert = Omit<AlertEntry, 'kind'> & { readonly kind: AlertEntry['kind'] | 'test' };

/** Somebody, or something, that is told when a watch changes its state. */
export interface AlertTarget {
  /** "webhook", "mail", "command": under this name the journal says whether it was told. */
  readonly name: string;
  /** What to do where it did not take an alert. */
  readonly todo: string;
  /** Resolves when the target has taken it. Rejects with an error whose message holds no secret. */
  tell(alert: Alert, signal: AbortSignal): Promise<void>;
}

/** What a machine gets: the body of a webhook, the standard input of a command. */
export interface AlertDocument {
  /** Slack, Mattermost and others show this. */
  readonly text: string;
  readonly loadline: 'monitor';
  readonly watch: string;
  readonly kind: Alert['kind'];
  readonly level: AlertEntry['level'];
  readonly at: string;
  readonly reasons: readonly string[];
  readonly run: string | null;
  /** The same for the same alert, however often it is sent. */
  readonly id: string;
}

export function alertDocument({ id, watch, kind, level, atMs, text, reasons, run }: Alert): AlertDocument {
  const more = reasons.filter((reason) => !text.includes(reason));
  return {
    text: [text, ...more.map((reason) => `• ${reason}`)].join('\n'),
    loadline: 'monitor',
    watch,
    kind,
    level,
    at: new Date(atMs).toISOString(),
    reasons,
    run: run ?? null,
    id,
  };
}
