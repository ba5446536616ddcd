// The few messages of the PostgreSQL protocol that the socket server itself makes. All others come from the engine.
// Source: postgresql.org/docs/18/protocol-message-formats.html

/** Request codes that a client may send in place of a startup message. */
export const requestCode = {
  ssl: 80877103,
  gssEncryption: 80877104,
  cancel: 80877102,
  protocolMajor: 3,
} as const

type TransactionStatus = 'I' | 'T' | 'E'

/** One backend or frontend message: type byte, length (itself included), body. */
export function message(type: string, body: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(5)
  head.write(type, 0, 'latin1')
  head.writeUInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

function strings(...values: string[]): Buffer {
  return Buffer.from(values.map((value) => `${value}\0`).join(''), 'utf8')
}

function int32(...values: number[]): Buffer {
  const body = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) body.writeInt32BE(value, index * 4)
  return body
}

const readyForQuery = (status: TransactionStatus): Buffer => message('Z', Buffer.from(status, 'latin1'))

/** A simple query, as clients send it. */
export const simpleQuery = (sql: string): Buffer => message('Q', strings(sql))

/** A parameter of a startup message. Undefined if the message lacks it. @param bytes the whole message, with its length field */
export function startupParameter(bytes: Buffer, name: string): string | undefined {
  const texts = bytes.toString('utf8', 8).split('\0')
  const nameIndex = texts.findIndex((text, index) => index % 2 === 0 && text === name)
  return nameIndex < 0 ? undefined : texts[nameIndex + 1]
}

/** The answer to a startup message, with ReadyForQuery. No password is needed, since the socket's folder has mode 0700. */
export function welcome(id: number, parameters: Record<string, string>): Buffer {
  const statuses = Object.entries(parameters).map(([name, value]) => message('S', strings(name, value)))
  return Buffer.concat([message('R', int32(0)), ...statuses, message('K', int32(id, 0)), readyForQuery('I')])
}

/** Tells a client with a newer minor version or unknown `_pq_` options that the server supports protocol 3.0. */
export const negotiateVersion = (): Buffer => message('v', int32(0, 0))

/** An error that ends the connection, with its SQLSTATE. */
export function fatal(code: string, text: string): Buffer {
  return message('E', Buffer.concat([strings('SFATAL', 'VFATAL', `C${code}`, `M${text}`), Buffer.from([0])]))
}

/** Whether the engine's answer is complete, which means that it ends with ReadyForQuery (`Z`, length 5, status). */
export function endsReady(answer: Buffer): boolean {
  const readyOffset = answer.length - 6
  return readyOffset >= 0 && answer[readyOffset] === 0x5a && answer.readUInt32BE(readyOffset + 1) === 5
}
