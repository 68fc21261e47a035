import { type AlertDocument, type AlertTarget, alertDocument } from './target.js';

/** Posts the alert as JSON. An answer other than 2xx is a failure; the address is a secret and stands in no message. */
export function webhookTarget(url: string): AlertTarget {
  return {
    name: 'webhook',
    todo: 'see that the address of alerts.webhook is right, and that this host reaches it',
    async tell(alert, signal) {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(withoutMarkUp(alertDocument(alert))),
        signal,
      }).catch((error: unknown) => {
        throw new Error(`the webhook cannot be reached: ${reasonOf(error)}`);
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the webhook answered ${response.status} ${response.statusText}`.trim());
    },
  };
}

/** In Slack's mark-up these begin a link, a mention or an entity; a server chooses some of the words. */
function withoutMarkUp(document: AlertDocument): AlertDocument {
  const text = document.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return { ...document, text };
}

/** `fetch` says "fetch failed" and has the reason in its cause; both name hosts at most, no paths. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return error.name === 'TimeoutError' || error.name === 'AbortError' ? 'no answer in time' : error.name;
}
