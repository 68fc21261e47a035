import { type ErrorCode, errorCodes, LoadlineError } from '../../model/errors.js';
import type { OrderRefusal } from './wire.js';

const charactersMax = 2000;

/** An error in words that travel. */
export function refusalFrom(error: unknown): OrderRefusal {
  const message = short(error instanceof Error ? error.message : String(error));
  if (!(error instanceof LoadlineError)) return { ok: false, message };
  return { ok: false, code: error.code, message, ...(error.why === undefined ? {} : { why: short(error.why) }) };
}

/** The error that it was, as if it had happened here. */
export function errorOf({
  code,
  message,
  why,
}: {
  readonly code?: string;
  readonly message: string;
  readonly why?: string;
}): Error {
  if (code === undefined || !isCode(code)) return new Error(message);
  return new LoadlineError(code, message, why === undefined ? {} : { why });
}

const isCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code);

const short = (text: string) => (text.length <= charactersMax ? text : `${text.slice(0, charactersMax - 1)}…`);
