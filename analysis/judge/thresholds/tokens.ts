/** A piece of an expression and where it stands, from column 0. */
export interface Token {
  readonly kind: 'word' | 'number' | 'comparison' | 'sign' | 'strange' | 'end';
  readonly text: string;
  readonly column: number;
}

/** What is wrong with an expression, and where. Thrown by the parser, never seen outside of it. */
export class ExpressionFault extends Error {
  constructor(
    message: string,
    readonly column: number,
    readonly length: number,
  ) {
    super(message);
    this.name = 'ExpressionFault';
  }
}

const pieces = /([A-Za-z][A-Za-z0-9]*)|(\d+(?:\.\d+)?)|(<=|>=|==|!=|[≤≥<>=])|([().%/])|(\S)/gu;

export function tokensOf(text: string): readonly Token[] {
  const tokens = [...text.matchAll(pieces)].map(([piece, word, number, comparison, sign], index, all): Token => {
    const kind = word ? 'word' : number ? 'number' : comparison ? 'comparison' : sign ? 'sign' : 'strange';
    return { kind, text: piece, column: all[index]?.index ?? 0 };
  });
  return [...tokens, { kind: 'end', text: '', column: text.trimEnd().length }];
}

/** Walks along the tokens; every complaint points at one. */
export class TokenReader {
  private next = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  peek(ahead = 0): Token {
    const token = this.tokens[this.next + ahead] ?? this.tokens.at(-1);
    return token ?? { kind: 'end', text: '', column: 0 };
  }

  take(): Token {
    const token = this.peek();
    this.next += 1;
    return token;
  }

  skip(text: string): boolean {
    if (this.peek().text !== text) return false;
    this.next += 1;
    return true;
  }

  expect(kind: Token['kind'], what: string): Token {
    const token = this.peek();
    if (token.kind !== kind) throw faultAt(token, token.kind === 'end' ? `${what} is missing` : `here must be ${what}`);
    return this.take();
  }
}

export function faultAt({ column, text }: Pick<Token, 'column' | 'text'>, message: string): ExpressionFault {
  return new ExpressionFault(message, column, Math.max(1, [...text].length));
}
