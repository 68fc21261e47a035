/** What a client of WHIP or WHEP asked for and does not get, with the status that says so (RFC 9725, RFC 9110). */
export class Refused extends Error {
  constructor(
    readonly status: 400 | 404 | 405 | 409 | 412 | 413 | 415 | 422 | 428 | 503,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'Refused';
  }
}
