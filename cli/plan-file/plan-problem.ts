import { basename } from 'node:path';
import { LoadlineError } from '../../model/errors.js';

/** Line and column count from 1, as editors do. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

export interface PlanProblem extends TextPosition {
  readonly text: string;
}

export function inOrder(problems: readonly PlanProblem[]): PlanProblem[] {
  return [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
}

/** All that is wrong in a file: `others` is of what stands beside it. */
export function wrongFile(
  path: string,
  todo: string,
  problems: readonly PlanProblem[],
  others: readonly string[] = [],
): LoadlineError {
  const { line, column } = problems[0] ?? { line: 1, column: 1 };
  const name = basename(path);
  const count = problems.length + others.length;
  return new LoadlineError('E_PLAN', `${name} has ${count === 1 ? 'a problem' : `${count} problems`}.`, {
    where: `${path}:${line}:${column}`,
    why: [...problems.map((one) => `${name}:${one.line}:${one.column}  ${one.text}`), ...others].join('\n'),
    todo,
  });
}
