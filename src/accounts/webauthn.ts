// WebAuthn by @simplewebauthn/server: what browsers are asked for, and whether their answers are right. Without the database.

import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type {
  generateAuthenticationOptions,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import type { PasskeyAnswer, PasskeyRegistration } from '../contract/second-factor.ts'
import type { Settings } from '../ports/deps.ts'

/** A challenge is valid for so long. */
export const CHALLENGE_SECONDS = 600
const CHALLENGE_BYTES = 32
/**
 * What any version of Node can verify: by default the library also asks for algorithms that only newer ones have, and a service that
 * is moved to another machine would refuse their passkeys.
 */
const ALGORITHMS = [-8, -7, -257] // EdDSA, ES256, RS256 (RFC 9053, RFC 8812)

// Loaded when somebody uses a passkey: it takes 25 MB.
const library = () => import('@simplewebauthn/server')
const helpers = () => import('@simplewebauthn/server/helpers')

export interface RelyingParty {
  /** The host, to which browsers bind a passkey. */
  id: string
  origin: string
}

/** Undefined where browsers have no passkeys: at an IP address, and over http except on this machine. */
export function relyingParty({
  siteUrl,
  origin,
}: Pick<Settings, 'siteUrl' | 'origin'>): RelyingParty | undefined {
  const { hostname, protocol } = new URL(siteUrl)
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = isIP(hostname) !== 0 || hostname.startsWith('[')
  return isSecure && !isAddress ? { id: hostname, origin } : undefined
}

export interface Credential {
  id: Buffer
  publicKey: Buffer
  counter: number
  transports: string[]
}

type Transports = NonNullable<
  NonNullable<Parameters<typeof generateAuthenticationOptions>[0]['allowCredentials']>[number]['transports']
>

const described = ({ id, transports }: Pick<Credential, 'id' | 'transports'>) => ({
  id: id.toString('base64url'),
  // Browsers pass over those that they do not know.
  transports: transports as Transports,
})

export const creationOptions = async (
  { id }: RelyingParty,
  user: { id: string; email: string },
  existing: readonly Pick<Credential, 'id' | 'transports'>[],
): Promise<PublicKeyCredentialCreationOptionsJSON> =>
  (await library()).generateRegistrationOptions({
    rpName: 'Kenning',
    rpID: id,
    userID: Uint8Array.from(Buffer.from(user.id.replaceAll('-', ''), 'hex')),
    userName: user.email,
    challenge: Uint8Array.from(randomBytes(CHALLENGE_BYTES)),
    timeout: CHALLENGE_SECONDS * 1000,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: existing.map(described),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })

export const requestOptions = async (
  { id }: RelyingParty,
  credentials: readonly Pick<Credential, 'id' | 'transports'>[],
): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  (await library()).generateAuthenticationOptions({
    rpID: id,
    challenge: Uint8Array.from(randomBytes(CHALLENGE_BYTES)),
    timeout: CHALLENGE_SECONDS * 1000,
    userVerification: 'preferred',
    allowCredentials: credentials.map(described),
  })

/** Undefined if the answer is not right for the challenge and this site. */
export async function verifiedRegistration(
  party: RelyingParty,
  challenge: string,
  registration: PasskeyRegistration,
): Promise<Credential | undefined> {
  const { transports = [] } = registration.response
  const { verifyRegistrationResponse } = await library()
  const result = await whatItProves(async () => {
    if (!(await isWithoutCertificate(registration.response.attestationObject))) return undefined
    return verifyRegistrationResponse({
      response: { ...registration, clientExtensionResults: {} } as never,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    })
  })
  if (!result?.verified) return undefined
  const { id, publicKey, counter } = result.registrationInfo.credential
  // The library does not compare them, and only the id of the answer has a limit.
  if (id !== registration.id) return undefined
  return { id: Buffer.from(id, 'base64url'), publicKey: Buffer.from(publicKey), counter, transports }
}

/**
 * None was asked for. The library would check a certificate that is sent all the same, and ask the server that it names whether it
 * was revoked; requests to addresses that strangers name go through the guarded client only.
 */
async function isWithoutCertificate(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await helpers()
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

/** The counter of the passkey. Undefined if the answer is not right for the challenge and this site. */
export async function verifiedCounter(
  party: RelyingParty,
  challenge: string,
  { answer, credential }: { answer: PasskeyAnswer; credential: Credential },
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await library()
  const result = await whatItProves(() =>
    verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} } as never,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      credential: {
        id: credential.id.toString('base64url'),
        publicKey: Uint8Array.from(credential.publicKey),
        counter: credential.counter,
      },
    }),
  )
  return result?.verified ? result.authenticationInfo.newCounter : undefined
}

/** The library throws for whatever is wrong in an answer, also where its bytes cannot be read. */
async function whatItProves<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify()
  } catch {
    return undefined
  }
}
