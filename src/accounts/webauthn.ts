// WebAuthn with @simplewebauthn/server: the options that browsers get, and the verification of their answers. Nothing is stored
// here.

import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import type {
  generateAuthenticationOptions,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import type { PasskeyAnswer, PasskeyRegistration } from '../contract/second-factor.ts'
import type { Settings } from '../ports/deps.ts'

/** How long a challenge is valid. */
export const CHALLENGE_SECONDS = 600
const CHALLENGE_BYTES = 32
/**
 * Algorithms that every version of Node can verify. By default the library also offers newer ones: after a move to a machine with
 * an older Node, the service would reject their passkeys.
 */
const ALGORITHMS = [-8, -7, -257] // EdDSA, ES256, RS256 (RFC 9053, RFC 8812)

// Loaded only when somebody uses a passkey, since the library takes 25 MB of memory.
const loadLibrary = () => import('@simplewebauthn/server')
const loadHelpers = () => import('@simplewebauthn/server/helpers')

export interface RelyingParty {
  /** The host name, to which browsers bind a passkey. */
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

const descriptorOf = ({ id, transports }: Pick<Credential, 'id' | 'transports'>) => ({
  id: id.toString('base64url'),
  // Browsers ignore transports that they do not know.
  transports: transports as Transports,
})

export const creationOptions = async (
  { id }: RelyingParty,
  user: { id: string; email: string },
  existing: readonly Pick<Credential, 'id' | 'transports'>[],
): Promise<PublicKeyCredentialCreationOptionsJSON> =>
  (await loadLibrary()).generateRegistrationOptions({
    rpName: 'Kenning',
    rpID: id,
    userID: Uint8Array.from(Buffer.from(user.id.replaceAll('-', ''), 'hex')),
    userName: user.email,
    challenge: Uint8Array.from(randomBytes(CHALLENGE_BYTES)),
    timeout: CHALLENGE_SECONDS * 1000,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: existing.map(descriptorOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })

export const requestOptions = async (
  { id }: RelyingParty,
  credentials: readonly Pick<Credential, 'id' | 'transports'>[],
): Promise<PublicKeyCredentialRequestOptionsJSON> =>
  (await loadLibrary()).generateAuthenticationOptions({
    rpID: id,
    challenge: Uint8Array.from(randomBytes(CHALLENGE_BYTES)),
    timeout: CHALLENGE_SECONDS * 1000,
    userVerification: 'preferred',
    allowCredentials: credentials.map(descriptorOf),
  })

/** Undefined if the answer is not right for the challenge and this site. */
export async function verifyRegistration(
  party: RelyingParty,
  challenge: string,
  registration: PasskeyRegistration,
): Promise<Credential | undefined> {
  const { transports = [] } = registration.response
  const { verifyRegistrationResponse } = await loadLibrary()
  const result = await undefinedIfInvalid(async () => {
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
  // The library does not compare the two ids, and only the length of the answer's id is limited.
  if (id !== registration.id) return undefined
  return { id: Buffer.from(id, 'base64url'), publicKey: Buffer.from(publicKey), counter, transports }
}

/**
 * A certificate was not requested, so an answer with one is rejected. The library would ask a server that the certificate names
 * whether it was revoked, but calls to addresses from strangers may only go through the guarded client.
 */
async function isWithoutCertificate(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await loadHelpers()
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject))
  const format = attestation.get('fmt')
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)
}

/** The counter of the passkey. Undefined if the answer is not right for the challenge and this site. */
export async function verifyAuthentication(
  party: RelyingParty,
  challenge: string,
  { answer, credential }: { answer: PasskeyAnswer; credential: Credential },
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await loadLibrary()
  const result = await undefinedIfInvalid(() =>
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

/** The library throws for everything that is wrong in an answer, also if its bytes cannot be decoded. */
async function undefinedIfInvalid<T>(verify: () => Promise<T>): Promise<T | undefined> {
  try {
    return await verify()
  } catch {
    return undefined
  }
}
