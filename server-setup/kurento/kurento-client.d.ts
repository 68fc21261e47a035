/** The part of kurento-client 7.2.0 (which has no types) that the adapter uses. */
declare module 'kurento-client' {
  /** What the client gives its callbacks: Kurento's error fields on an Error. */
  export interface KurentoFailure extends Error {
    readonly code?: number;
    readonly data?: { readonly type?: string };
  }

  /** Every remote object sends its requests by emitting `_rpc`; with a callback nothing is printed and nothing is lost. */
  export interface ServerManager {
    emit(
      event: '_rpc',
      transaction: undefined,
      method: string,
      params: Record<string, unknown>,
      callback: (error: KurentoFailure | null | undefined, result: unknown) => void,
    ): boolean;
  }

  export interface KurentoClient {
    getServerManager(callback: (error: KurentoFailure | null | undefined, manager: ServerManager) => void): unknown;
    close(): void;
  }

  export interface ClientOptions {
    readonly strict: boolean;
    readonly request_timeout: number;
    readonly response_timeout: number;
    readonly duplicates_timeout: number;
    readonly socket: { readonly objectMode: boolean };
  }

  interface Kurento {
    /** `socket` is an address or, as here, an object with the browser's WebSocket interface. */
    (socket: object, options: ClientOptions): KurentoClient;
    getComplexType(
      name: 'IceCandidate',
    ): (fields: { candidate: string; sdpMid: string; sdpMLineIndex: number }) => Record<string, unknown>;
  }

  const kurento: Kurento;
  // biome-ignore lint/style/noDefaultExport: what a CommonJS module gives to `import`
  export default kurento;
}
