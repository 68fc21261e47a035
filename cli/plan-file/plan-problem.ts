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
