/** Elements of a list in one piece. */
const elementsInPiece = 250;

/**
 * The JSON of a document of plain data, piece by piece: together they are what JSON.stringify gives. The record of ten
 * thousand probes is tens of megabytes in a few long lists, and nothing else could go on while it is made in one go.
 */
export function* jsonPieces(document: object): Generator<string, void> {
  let before = '{';
  for (const [name, value] of Object.entries(document)) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (Array.isArray(value) && value.length > elementsInPiece) yield* listPieces(value);
    else yield JSON.stringify(value);
  }
  yield before === '{' ? '{}' : '}';
}

function* listPieces(list: readonly unknown[]): Generator<string, void> {
  for (let from = 0; from < list.length; from += elementsInPiece) {
    const part = JSON.stringify(list.slice(from, from + elementsInPiece));
    yield `${from === 0 ? '[' : ','}${part.slice(1, -1)}`;
  }
  yield ']';
}
