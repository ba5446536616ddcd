// The first message of a client of PostgreSQL, protocol 3.0.

const PROTOCOL_3 = 196_608

/** `parameters` are name and value in turn. */
export function startup(...parameters: string[]): Buffer {
  const texts = Buffer.from([...parameters, ''].map((text) => `${text}\0`).join(''))
  const head = Buffer.alloc(8)
  head.writeInt32BE(head.length + texts.length)
  head.writeInt32BE(PROTOCOL_3, 4)
  return Buffer.concat([head, texts])
}
