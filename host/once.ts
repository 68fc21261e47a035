/** Memoises a function, errors included. */
export function once<Value>(read: () => Value): () => Value {
  let outcome: { readonly value: Value } | { readonly fault: unknown } | undefined;
  return () => {
    outcome ??= outcomeOf(read);
    if ('fault' in outcome) throw outcome.fault;
    return outcome.value;
  };
}

function outcomeOf<Value>(read: () => Value): { readonly value: Value } | { readonly fault: unknown } {
  try {
    return { value: read() };
  } catch (fault) {
    return { fault };
  }
}
