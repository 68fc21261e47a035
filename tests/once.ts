/**
 * What is made when it is first asked for, and then handed on: what only some tests of a file need is not made while it
 * is loaded.
 */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
