import type { Socket } from 'node:dgram';

/** Node's handle of a UDP socket, in an unnamed field; `undefined` where no field has what `is` looks for. */
export function socketHandle<T>(socket: Socket, is: (handle: unknown) => handle is T): T | undefined {
  for (const field of Object.getOwnPropertySymbols(socket)) {
    const handle: unknown = Reflect.get(Object(Reflect.get(socket, field)), 'handle');
    if (is(handle)) return handle;
  }
  return undefined;
}
