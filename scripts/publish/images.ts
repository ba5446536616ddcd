// The images of others that Kenning is built on and runs beside, in the Dockerfile and the compose files: what they are pinned to. A
// tag can be moved to other bytes, a digest (`node:22-bookworm-slim@sha256:…`) cannot. Only a registry knows digests, so this asks each one.

import { readFileSync, writeFileSync } from 'node:fs'

/** Files that name images, each with the lines that do. */
const PLACES = [
  { path: 'Dockerfile', line: /^ARG NODE_IMAGE=(\S+)$/gm },
  { path: 'deploy/compose/compose.yaml', line: /^ +image: ([^$\s]\S*)$/gm },
  { path: 'deploy/compose/compose.nginx.yaml', line: /^ +image: ([^$\s]\S*)$/gm },
]
const DIGEST = /^sha256:[0-9a-f]{64}$/
const ACCEPTED = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
]

export interface ImageReference {
  registry: string
  repository: string
  tag: string
  digest: string | undefined
}

/** Names without a registry are Docker's, and of one word its own, as every builder reads them. */
export function parseReference(reference: string): ImageReference {
  const [nameWithTag = '', digest] = reference.split('@')
  const [, path = '', tag = 'latest'] = /^(.+?)(?::([\w][\w.-]*))?$/.exec(nameWithTag) ?? []
  const [first = '', ...rest] = path.split('/')
  const isRegistry = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')
  if (isRegistry) return { registry: first, repository: rest.join('/'), tag, digest }
  const repository = rest.length > 0 ? path : `library/${path}`
  return { registry: 'registry-1.docker.io', repository, tag, digest }
}

/** Every reference that the files name, as it stands. */
export const referencesIn = (path: string, text: string): string[] =>
  PLACES.filter((place) => place.path === path).flatMap(({ line }) =>
    [...text.matchAll(line)].map(([, reference = '']) => reference),
  )

export const allReferences = (): string[] =>
  PLACES.flatMap(({ path }) => referencesIn(path, readFileSync(path, 'utf8')))

export const isPinned = (reference: string): boolean => DIGEST.test(parseReference(reference).digest ?? '')

/** The text with the digests of `digests`, by references without theirs. */
export function withDigests(
  text: string,
  references: readonly string[],
  digests: ReadonlyMap<string, string>,
): string {
  let pinnedText = text
  for (const reference of references) {
    const [nameWithTag = ''] = reference.split('@')
    const digest = digests.get(nameWithTag)
    if (digest !== undefined) pinnedText = pinnedText.replaceAll(reference, `${nameWithTag}@${digest}`)
  }
  return pinnedText
}

/**
 * Asks the registry of an image for the digest that its tag has now, of all platforms together.
 * @param scheme http only for a registry of a test
 * @throws Error that says what the registry answered
 */
export async function digestOf(reference: string, scheme: 'https' | 'http' = 'https'): Promise<string> {
  const { registry, repository, tag } = parseReference(reference)
  const url = `${scheme}://${registry}/v2/${repository}/manifests/${tag}`
  const head = (authorization?: string): Promise<Response> =>
    fetch(url, {
      method: 'HEAD',
      headers: { accept: ACCEPTED.join(', '), ...(authorization ? { authorization } : {}) },
    }).catch(() => {
      throw new Error(`${reference}: ${registry} cannot be reached`)
    })
  let answer = await head()
  if (answer.status === 401)
    answer = await head(await anonymousToken(answer.headers.get('www-authenticate') ?? ''))
  const digest = answer.headers.get('docker-content-digest') ?? ''
  if (!answer.ok || !DIGEST.test(digest))
    throw new Error(
      `${reference}: ${registry} answered ${answer.status}${answer.ok ? ' without a digest' : ''}`,
    )
  return digest
}

/** What registries give anybody who may read: the challenge names where, and for what. */
async function anonymousToken(challenge: string): Promise<string> {
  const challengeFields = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
  )
  if (!/^bearer /i.test(challenge) || !challengeFields.realm)
    throw new Error(`a registry asks for "${challenge}"`)
  const url = new URL(challengeFields.realm)
  for (const key of ['service', 'scope'])
    if (challengeFields[key]) url.searchParams.set(key, challengeFields[key])
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url.host} answered ${answer.status}`)
  const { token, access_token } = (await answer.json()) as { token?: string; access_token?: string }
  return `Bearer ${token ?? access_token ?? ''}`
}

/** Writes into each file the digests that its images have now. @returns what was written, a line each */
export async function pinAll(): Promise<string[]> {
  const lines: string[] = []
  for (const { path } of PLACES) {
    const text = readFileSync(path, 'utf8')
    const references = referencesIn(path, text)
    const digests = new Map<string, string>()
    for (const reference of references) {
      const [nameWithTag = ''] = reference.split('@')
      digests.set(nameWithTag, await digestOf(nameWithTag))
      lines.push(`${path}: ${nameWithTag}@${digests.get(nameWithTag)}`)
    }
    writeFileSync(path, withDigests(text, references, digests))
  }
  return lines
}
