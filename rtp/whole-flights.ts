/** libwebrtc's MTU of DTLS (dtls_mtu_ in OpenSSLStreamAdapter). */
const datagramBytesMax = 1200;

/**
 * Sends the records that are given in one turn in one datagram as far as they fit (RFC 6347, 4.1.1), as browsers do: a
 * flight in five of them is lost five times as often, and a network with jitter puts those in another order.
 */
export function sendWholeFlights(transport: { send(records: Buffer): Promise<void> }): void {
  const send = transport.send.bind(transport);
  let waiting: Buffer[] = [];
  let sent: Promise<void> = Promise.resolve();
  const sendWaiting = async (): Promise<void> => {
    // What follows is given in the same turn.
    await undefined;
    const records = waiting;
    waiting = [];
    await Promise.all(datagramsOf(records).map((datagram) => send(datagram)));
  };
  transport.send = (record) => {
    waiting.push(record);
    if (waiting.length === 1) sent = sendWaiting();
    return sent;
  };
}

function datagramsOf(records: readonly Buffer[]): readonly Buffer[] {
  const datagrams: Buffer[][] = [];
  let room = 0;
  for (const record of records) {
    const last = datagrams.at(-1);
    if (last && record.length <= room) {
      last.push(record);
    } else {
      datagrams.push([record]);
      room = datagramBytesMax;
    }
    room -= record.length;
  }
  return datagrams.map((parts) => Buffer.concat(parts));
}
