import type { StandardCheck } from '../server-kind.js';

/** @param rule the section of the standard, and what it has: "4.2 MUST be 201 Created" */
export const verdict = (rule: string, text: string, fine: boolean): StandardCheck =>
  checked('departs', rule, text, fine);

/** Of what only should be. */
export const should = (rule: string, text: string, fine: boolean): StandardCheck =>
  checked('advised', rule, text, fine);

function checked(otherwise: 'departs' | 'advised', rule: string, text: string, fine: boolean): StandardCheck {
  const [, section = '', words = ''] = /^(\S+) (.*)$/.exec(rule) ?? [];
  return fine ? { mark: 'kept', section, text } : { mark: otherwise, section, text, rule: words };
}
