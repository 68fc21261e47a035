/** A DTLS record of werift before it is on the wire: encryption puts the cipher text in place of the fragment. */
interface Record {
  fragment: Buffer;
  readonly recordLayerHeader: { sequenceNumber: number; contentLen: number };
  serialize(): Buffer;
}

/** What of a werift DTLS client is needed here. */
export interface DtlsParts {
  readonly cipher: { encryptPacket(record: Record): Record };
  readonly transport: { send(datagram: Buffer): Promise<void> };
}

/**
 * Gives each copy of the client's Finished a record number of its own. When the peer's last flight is lost, the client
 * sends its own again until it comes (RFC 6347 4.2.4). werift sends the very bytes, which a peer drops as a replay
 * (4.1.2.6), so that one lost datagram in the handshake was a participant without media.
 */
export function numberFinishedAnew({ cipher, transport }: DtlsParts): void {
  const encrypt = cipher.encryptPacket.bind(cipher);
  const send = transport.send.bind(transport);
  let finished: { readonly record: Record; readonly plain: Buffer; readonly sent: Buffer; number: number } | undefined;
  let copies = 0;
  cipher.encryptPacket = (record) => {
    const plain = Buffer.from(record.fragment);
    const number = record.recordLayerHeader.sequenceNumber;
    const encrypted = encrypt(record);
    // The first thing that a client encrypts is its Finished.
    finished ??= { record: encrypted, plain, sent: encrypted.serialize(), number };
    return encrypted;
  };
  transport.send = (datagram) => {
    if (!finished?.sent.equals(datagram)) return send(datagram);
    copies += 1;
    if (copies === 1) return send(datagram);
    const { record, plain } = finished;
    finished.number += 1;
    record.fragment = plain;
    record.recordLayerHeader.contentLen = plain.length;
    record.recordLayerHeader.sequenceNumber = finished.number;
    return send(encrypt(record).serialize());
  };
}
