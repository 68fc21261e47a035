import { missingParameter, wrongParameter } from './rpc-error.js';

/** Parameters of a request or an operation, as they came. */
export type Parameters = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Parameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A parameter of an operation; Kurento answers a missing one and one of the wrong type alike. */
export function stringOf(parameters: Parameters, name: string): string {
  const value = parameters[name];
  if (typeof value !== 'string') throw wrongParameter(name, 'string');
  return value;
}

export function integerOf(parameters: Parameters, name: string): number {
  const value = parameters[name];
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongParameter(name, 'integer');
  return value;
}

export function booleanOf(parameters: Parameters, name: string): boolean {
  const value = parameters[name];
  if (typeof value !== 'boolean') throw wrongParameter(name, 'boolean');
  return value;
}

/** A parameter of a request itself, with the other error that these have. */
export function requiredOf(parameters: Parameters, name: string): string {
  const value = parameters[name];
  if (typeof value !== 'string') throw missingParameter(name);
  return value;
}

export function optionalStringOf(parameters: Parameters, name: string): string | undefined {
  const value = parameters[name];
  return typeof value === 'string' ? value : undefined;
}
