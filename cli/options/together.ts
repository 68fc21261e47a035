import { LoadlineError } from '../../model/errors.js';

/** Several things that were written wrong. Each is an error as it would be alone. */
export class SeveralFaults extends LoadlineError {
  constructor(readonly faults: readonly LoadlineError[]) {
    const codes = new Set(faults.map(({ code }) => code));
    const [code = 'E_USAGE'] = codes;
    super(codes.size === 1 ? code : 'E_USAGE', `${faults.length} things that were asked cannot be done as they are.`, {
      where: [...new Set(faults.flatMap(({ where }) => where ?? []))].join('; '),
      why: faults.map(faultText).join('\n'),
      todo: [...new Set(faults.flatMap(({ todo }) => todo ?? []))].join('\n'),
      // Of each of them what is foreign was cut.
      mostLength: Number.POSITIVE_INFINITY,
    });
  }
}

type Read<Parts extends Readonly<Record<string, () => unknown>>> = {
  readonly [Name in keyof Parts]: ReturnType<Parts[Name]>;
};

/**
 * Reads every part, also after one that cannot be read: whoever wrote them is told of everything at once. Throws the
 * one fault, or SeveralFaults. Parts that need another ask the same `once`, so that its fault is one fault, and told
 * once.
 */
export function readTogether<Parts extends Readonly<Record<string, () => unknown>>>(parts: Parts): Read<Parts> {
  const read: Record<string, unknown> = {};
  const faults = Object.entries(parts).flatMap(([name, part]) => {
    try {
      read[name] = part();
      return [];
    } catch (error) {
      if (error instanceof LoadlineError) return faultsIn(error);
      throw error;
    }
  });
  throwFaults([...new Set(faults)]);
  return read as Read<Parts>;
}

/** Throws the one fault, or SeveralFaults; nothing where there is none. */
export function throwFaults(each: readonly LoadlineError[]): void {
  const [first, ...more] = each;
  if (first) throw more.length === 0 ? first : new SeveralFaults(each);
}

export function faultsIn(error: LoadlineError): readonly LoadlineError[] {
  return error instanceof SeveralFaults ? error.faults : [error];
}

/** What is wrong; of an expression also where in it. */
function faultText({ message, code, why }: LoadlineError): string {
  return code === 'E_THRESHOLD' && why !== undefined ? `${message}\n${why}` : message;
}
