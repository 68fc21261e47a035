/** RTCRtpScriptTransformer. */
interface Transformer<Frame, Order> {
  readonly readable: ReadableStream<Frame>;
  readonly writable: WritableStream<Frame>;
  readonly options: Order;
}

/** The globals of a worker, as far as they are used: page code is compiled against those of a window. */
export interface WorkerScope<To, From, Frame, Order> {
  onmessage: ((event: { readonly data: To }) => void) | null;
  onrtctransform: ((event: { readonly transformer: Transformer<Frame, Order> }) => void) | null;
  postMessage(said: From): void;
}

/** Handles each frame, which calls `write` when it is to go on. */
export async function pump<Frame>(
  { readable, writable }: Pick<Transformer<Frame, unknown>, 'readable' | 'writable'>,
  handle: (frame: Frame, write: () => void) => void | Promise<void>,
): Promise<void> {
  const reader = readable.getReader();
  const writer = writable.getWriter();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const frame = next.value;
    // Not awaited: the order is kept, and what cannot be written any more ends the reading, too.
    const handled = handle(frame, () => void writer.write(frame).catch(() => undefined));
    if (handled) await handled;
  }
}
