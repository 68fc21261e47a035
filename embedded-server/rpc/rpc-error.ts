/** An error as Kurento's JSON-RPC reports it: `code`, `message`, and for most `data.type`. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(code: number, message: string, data?: Readonly<Record<string, unknown>>) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

const typed = (code: number, type: string, message: string): RpcError => new RpcError(code, message, { type });

export const objectNotFound = (id: string) => typed(40101, 'MEDIA_OBJECT_NOT_FOUND', `Object '${id}' not found`);
export const factoryNotFound = (type: string) =>
  typed(40108, 'MEDIA_OBJECT_NOT_AVAILABLE', `Factory '${type}' not found`);
export const eventNotSupported = (type: string) =>
  typed(40106, 'MEDIA_OBJECT_EVENT_NOT_SUPPORTED', `Event '${type}' not supported`);
export const operationNotFound = (operation: string, parameters: number) =>
  typed(40008, 'MALFORMED_TRANSACTION', `Method '${operation}' with ${parameters} parameters not found`);
export const wrongParameter = (name: string, type: string) =>
  typed(40001, 'MARSHALL_ERROR', `'${name}' parameter should be a ${type}`);
export const invalidSession = () => typed(40007, 'INVALID_SESSION', 'Invalid session');
export const connectError = (message: string) => typed(40004, 'CONNECT_ERROR', message);
export const sdpParseError = (message: string) => typed(40201, 'SDP_PARSE_ERROR', message);
export const alreadyNegotiated = () => typed(40208, 'SDP_END_POINT_ALREADY_NEGOTIATED', 'Endpoint already negotiated');
export const notOffered = () =>
  typed(40209, 'SDP_END_POINT_NOT_OFFER_GENERATED', 'Offer not generated. It is not possible to process an answer.');
export const notImplemented = (what: string) => typed(40100, 'MEDIA_OBJECT_METHOD_NOT_FOUND', what);

/** What a Kurento says when its threads or files run out. */
export const notEnoughResources = (what: string) => typed(40009, 'NOT_ENOUGH_RESOURCES', what);

export const missingParameter = (name: string) => new RpcError(-32000, `'${name}' parameter is required`);
export const methodNotFound = () => new RpcError(-32601, 'Method not found.');
export const invalidRequest = () => new RpcError(-32600, 'Invalid JSON-RPC request.');
/** Kurento's words for an object of the wrong class; clients have come to know them. */
export const wrongClass = () => new RpcError(-32603, 'Unexpected error while processing method: bad_weak_ptr');
export const paramsNotObject = () =>
  new RpcError(
    -32603,
    'Unexpected error while processing method: in Json::Value::operator[](char const*)const: requires objectValue or nullValue',
  );
