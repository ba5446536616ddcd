// An authenticator in software, as WebAuthn describes it: makes ES256 keys and signs challenges. Each answer can be made wrong.

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

type Cbor = number | string | Buffer | Cbor[] | Map<number | string, Cbor>

/** RFC 8949, of what WebAuthn needs. */
export function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  return Buffer.concat([
    head(5, value.size),
    ...[...value].flatMap(([key, content]) => [cbor(key), cbor(content)]),
  ])
}

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  const bytes = Buffer.from([(major << 5) | 25, 0, 0])
  bytes.writeUInt16BE(value, 1)
  return bytes
}

export interface Site {
  origin: string
  rpId: string
}

export interface Authenticator {
  id: string
  counter: number
  privateKey: KeyObject
  /** The answer to options for making a passkey. @param certificate by which the maker of the authenticator vouches for it */
  register(options: { challenge: string }, site: Site, certificate?: Buffer): object
  /** The answer to options for using one. */
  answer(options: { challenge: string }, site: Site): object
}

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest()
const PRESENT = 0x01
const HAS_CREDENTIAL = 0x40

/** @param counts whether its counter goes up; else it is always 0 */
export function authenticator({ counts = true } = {}): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const key = cbor(
    new Map<number, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  )
  const dataOf = (rpId: string, flags: number, counter: number): Buffer => {
    const bytes = Buffer.alloc(5)
    bytes.writeUInt8(flags)
    bytes.writeUInt32BE(counter, 1)
    return Buffer.concat([sha256(rpId), bytes])
  }
  const clientData = (type: string, challenge: string, origin: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const length = Buffer.from([0, credentialId.length])
  const made: Authenticator = {
    id,
    counter: 0,
    privateKey,
    register: ({ challenge }, { origin, rpId }, certificate) => {
      const client = clientData('webauthn.create', challenge, origin)
      const flags = PRESENT | HAS_CREDENTIAL
      const authData = Buffer.concat([
        dataOf(rpId, flags, made.counter),
        Buffer.alloc(16),
        length,
        credentialId,
        key,
      ])
      const statement = (bytes: Buffer) =>
        new Map<string, Cbor>([
          ['alg', -7],
          ['sig', sign('sha256', Buffer.concat([authData, sha256(client)]), made.privateKey)],
          ['x5c', [bytes]],
        ])
      const attestation = cbor(
        new Map<string, Cbor>([
          ['fmt', certificate ? 'packed' : 'none'],
          ['attStmt', certificate ? statement(certificate) : new Map()],
          ['authData', authData],
        ]),
      )
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    answer: ({ challenge }, { origin, rpId }) => {
      if (counts) made.counter += 1
      const authData = dataOf(rpId, PRESENT, made.counter)
      const client = clientData('webauthn.get', challenge, origin)
      const signature = sign('sha256', Buffer.concat([authData, sha256(client)]), made.privateKey)
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      }
    },
  }
  return made
}
