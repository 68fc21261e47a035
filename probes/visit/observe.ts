import type { BrowserContext, Page } from 'playwright-core';
import type { FrameReading, NextLook, VisitSettings } from '../page/visit/wire.js';

const binding = 'loadlineVisit';

/** How documents are observed. */
export interface Observed {
  /** The bundled code that observes. */
  readonly script: string;
  readonly settings: Omit<VisitSettings, 'binding'>;
  /** Addresses that are not loaded, with `*` for anything. */
  readonly block?: readonly string[];
  onReading(reading: FrameReading): NextLook;
}

/** Has all documents of a page, or of a context, observed from their first. */
export async function observe(watched: Page | BrowserContext, { script, settings, block = [], onReading }: Observed) {
  await watched.exposeBinding(binding, (_source, text: string) => onReading(JSON.parse(text) as FrameReading));
  await watched.addInitScript({
    content: `(() => { const visitSettings = ${JSON.stringify({ ...settings, binding })};\n${script}\n})();`,
  });
  if (block.length > 0) await watched.route(blocked(block), (route) => route.abort('blockedbyclient'));
}

/** What matches any address with one of these in it, where `*` stands for anything. */
function blocked(patterns: readonly string[]): RegExp {
  const one = (pattern: string): string =>
    pattern
      .split('*')
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*');
  return new RegExp(patterns.map(one).join('|'));
}
