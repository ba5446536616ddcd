// What a release rests on: addresses in one place, the changelog by versions, images and actions that are pinned, links of a package.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { sectionsOf, withReleaseDay } from '../scripts/publish/changelog.ts'
import {
  allReferences,
  digestOf,
  isPinned,
  parseReference,
  referencesIn,
  withDigests,
} from '../scripts/publish/images.ts'
import { relativeLinks, withLinksOut } from '../scripts/publish/links.ts'
import { fieldsOf, placeholdersOf, readPublication } from '../scripts/publish/publication.ts'
import { type RepositoryState, refusalsOf } from '../scripts/publish/state.ts'

const read = (path: string): string => readFileSync(path, 'utf8')
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`

test('the addresses stand in publication.json alone, which says that they are placeholders as long as they are', () => {
  const publication = readPublication()
  const { note } = JSON.parse(read('publication.json'))
  if (placeholdersOf(publication).length > 0) expect(note).toContain('placeholder')
  const { repository, bugs, homepage } = JSON.parse(read('package.json'))
  expect([repository, bugs, homepage]).toEqual([undefined, undefined, undefined])
  const others = [
    'package.json',
    'Dockerfile',
    'README.md',
    'deploy/helm/kenning/Chart.yaml',
    '.github/workflows/release.yml',
  ]
  expect(others.filter((path) => read(path).includes(publication.repository))).toEqual([])
  for (const template of [publication.page, publication.file]) expect(template).toMatch(/\{tag\}.*\{path\}$/)
  expect(fieldsOf(publication, 'packages/client')).toMatchObject({
    repository: { url: `git+${publication.repository}.git`, directory: 'packages/client' },
  })
})

test('an address that somebody filled in is no placeholder', () => {
  const image = 'ghcr.io/acme/kenning'
  expect(placeholdersOf({ ...readPublication(), image })).not.toContain('image')
})

test('the changelog has the version of package.json, not released, with what to do before', () => {
  const { version } = JSON.parse(read('package.json'))
  const sections = sectionsOf(read('CHANGELOG.md'))
  expect(sections[0]).toMatchObject({ version, releasedOn: undefined })
  // Everything that an old process does not know is in the first release.
  expect(sections.at(-1)?.text).toMatch(/^### Before you upgrade$[\s\S]*?[Ss]top every old process/m)
  expect(sections.slice(1).filter(({ releasedOn }) => releasedOn === undefined)).toEqual([])
})

test('headings of the changelog', () => {
  const changelog =
    '# Changelog\n\n## 0.2.0 - unreleased\nNew.\n\n### Service\n- One.\n\n## 0.1.0 - 2026-12-05\nFirst.\n'
  expect(sectionsOf(changelog)).toEqual([
    { version: '0.2.0', releasedOn: undefined, text: 'New.\n\n### Service\n- One.' },
    { version: '0.1.0', releasedOn: '2026-12-05', text: 'First.' },
  ])
  expect(sectionsOf(withReleaseDay(changelog, '0.2.0', '2027-01-02'))[0]?.releasedOn).toBe('2027-01-02')
  expect(() => sectionsOf('## Unreleased\n')).toThrow('"## Unreleased" should be')
})

const STATE: RepositoryState = {
  version: '0.2.0',
  changes: [],
  taggedCommit: undefined,
  commit: 'c1',
  sections: [{ version: '0.2.0', releasedOn: undefined, text: 'New.' }],
  versions: { 'Chart.yaml': '0.2.0' },
}
test.each<[string, Partial<RepositoryState>, boolean, RegExp | undefined]>([
  ['a clean state is tried', {}, false, undefined],
  ['a tag at the commit is published', { taggedCommit: 'c1' }, true, undefined],
  ['a dirty tree', { changes: ['README.md'] }, false, /README\.md/],
  [
    'a released version',
    { sections: [{ version: '0.2.0', releasedOn: '2026-12-05', text: 'New.' }] },
    false,
    /released on 2026-12-05/,
  ],
  ['a version without notes', { sections: [] }, false, /no section/],
  ['a tag that exists', { taggedCommit: 'c1' }, false, /a tag v0\.2\.0 already/],
  ['publishing without a tag', {}, true, /no tag v0\.2\.0/],
  ['publishing a tag of another commit', { taggedCommit: 'c0' }, true, /another commit/],
  ['a chart of another version', { versions: { 'Chart.yaml': '0.1.0' } }, false, /Chart\.yaml says 0\.1\.0/],
])('%s', (_, change, isTagged, refusal) => {
  const refusals = refusalsOf({ ...STATE, ...change }, isTagged)
  if (refusal === undefined) expect(refusals).toEqual([])
  else expect(refusals.join()).toMatch(refusal)
})

test('an image is named with its tag, and a digest has the form of one', () => {
  const references = allReferences()
  expect(references.map((reference) => parseReference(reference).repository)).toEqual(
    expect.arrayContaining([
      'library/node',
      'pgvector/pgvector',
      'library/caddy',
      'library/nginx',
      'ollama/ollama',
    ]),
  )
  for (const reference of references) {
    expect(parseReference(reference).tag).not.toBe('latest')
    // Not yet, or rightly.
    expect(reference.includes('@')).toBe(isPinned(reference))
  }
  expect(parseReference('localhost:5000/a/b:1@sha256:x')).toEqual({
    registry: 'localhost:5000',
    repository: 'a/b',
    tag: '1',
    digest: 'sha256:x',
  })
})

test('a digest is put behind the tag, and replaces an old one', () => {
  const name = referencesIn('Dockerfile', read('Dockerfile'))[0]?.split('@')[0] ?? ''
  const digests = new Map([[name, DIGEST]])
  const pinned = withDigests(`ARG NODE_IMAGE=${name}\nFROM x\n`, [name], digests)
  expect(pinned).toBe(`ARG NODE_IMAGE=${name}@${DIGEST}\nFROM x\n`)
  expect(isPinned(referencesIn('Dockerfile', pinned)[0] ?? '')).toBe(true)
  const other = `sha256:${'f'.repeat(64)}`
  expect(withDigests(pinned, referencesIn('Dockerfile', pinned), new Map([[name, other]]))).toBe(
    `ARG NODE_IMAGE=${name}@${other}\nFROM x\n`,
  )
})

test('a registry that asks for a token is asked for the digest', async () => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://registry')
    asked.push(`${request.method} ${url.pathname}${url.search}`)
    if (url.pathname === '/token') response.end(JSON.stringify({ token: 'anybody' }))
    else if (request.headers.authorization !== 'Bearer anybody')
      response
        .writeHead(401, {
          'www-authenticate': `Bearer realm="http://${request.headers.host}/token",service="here",scope="repository:acme/base:pull"`,
        })
        .end()
    else if (url.pathname.endsWith('/gone')) response.writeHead(404).end()
    else response.writeHead(200, { 'docker-content-digest': DIGEST }).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const registry = `127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    expect(await digestOf(`${registry}/acme/base:1`, 'http')).toBe(DIGEST)
    expect(asked).toEqual([
      'HEAD /v2/acme/base/manifests/1',
      'GET /token?service=here&scope=repository%3Aacme%2Fbase%3Apull',
      'HEAD /v2/acme/base/manifests/1',
    ])
    await expect(digestOf(`${registry}/acme/base:gone`, 'http')).rejects.toThrow('answered 404')
  } finally {
    server.close()
  }
})

test('the image has the labels of OCI, with the values that a release gives', () => {
  const dockerfile = read('Dockerfile')
  const labels = [...dockerfile.matchAll(/org\.opencontainers\.image\.([\w.]+)="([^"]*)"/g)].map(
    ([, name = '', value = '']) => ({ name, value }),
  )
  const names = [
    'title',
    'description',
    'licenses',
    'version',
    'revision',
    'created',
    'source',
    'url',
    'documentation',
    'base.name',
  ]
  expect(labels.map(({ name }) => name)).toEqual(names)
  const { description, license } = JSON.parse(read('package.json'))
  expect(labels).toContainEqual({ name: 'description', value: description })
  expect(labels).toContainEqual({ name: 'licenses', value: license })
  const last = dockerfile.slice(dockerfile.lastIndexOf('FROM '))
  const declared = [...last.matchAll(/^ARG (\w+)/gm)].map(([, name]) => name)
  const used = labels.flatMap(({ value }) => [...value.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name))
  expect(used.filter((name) => !declared.includes(name))).toEqual([])
  const given = read('scripts/publish/release.ts')
  for (const name of declared.filter((name) => name !== 'NODE_IMAGE'))
    expect(given).toMatch(new RegExp(`^ +${name}: `, 'm'))
})

test('workflows run what exists, with actions of one commit each and no right that they do not name', () => {
  const names = readdirSync('.github/workflows')
  expect(names.sort()).toEqual(['gate.yml', 'release.yml'])
  for (const name of names) {
    const text = read(`.github/workflows/${name}`)
    const workflow = parse(text)
    expect(workflow.permissions).toEqual({ contents: 'read' })
    for (const [, used = ''] of text.matchAll(/uses: (.+)$/gm))
      expect(used).toMatch(
        /^\.\/\.github\/workflows\/gate\.yml$|^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/,
      )
    for (const [, script = ''] of text.matchAll(/run: ((?:\.ci|scripts)\/\S+)/g))
      expect(existsSync(script)).toBe(true)
    for (const [, options = ''] of text.matchAll(/uses: actions\/checkout@.+\n +with: (.+)/g))
      expect(options).toContain('persist-credentials: false')
    expect(text.match(/actions\/checkout@/g)).toHaveLength(
      text.match(/persist-credentials: false/g)?.length ?? 0,
    )
  }
  const { jobs, on } = parse(read('.github/workflows/release.yml'))
  expect(on).toEqual({ push: { tags: ['v*'] } })
  expect([jobs.make.needs, jobs.publish.needs]).toEqual(['gate', 'make'])
  // Dependencies run where there is nothing to take.
  expect([jobs.make.permissions, JSON.stringify(jobs.make)]).toEqual([
    undefined,
    expect.not.stringContaining('secrets'),
  ])
  expect(JSON.stringify(jobs.publish)).not.toMatch(/npm ci|scripts\/release/)
  expect(parse(read('.github/workflows/gate.yml')).jobs.gate.steps.at(-1).run).toBe('.ci/run')
})

test('links of a package stay in it, or lead to the repository', () => {
  const markdown = [
    '[API](api.md#uploads) [map](../ARCHITECTURE.md#the-tree) [top](#top) [web](https://example.org/x.md)',
    '<img src="images/a.png"> ![b](../shots/b.png) [folder](../deploy/helm/) `[code](gone.md)`',
    '```',
    '[code](gone.md)',
    '```',
  ].join('\n')
  const has = (path: string): boolean => ['docs/api.md', 'docs'].includes(path)
  const address = (path: string, isImage: boolean): string =>
    `https://repo/${isImage ? 'raw' : 'blob'}/${path}`
  const result = withLinksOut(markdown, 'docs/a.md', { has, address })
  expect(result).toBe(
    [
      '[API](api.md#uploads) [map](https://repo/blob/ARCHITECTURE.md#the-tree) [top](#top) [web](https://example.org/x.md)',
      '<img src="https://repo/raw/docs/images/a.png"> ![b](https://repo/raw/shots/b.png) [folder](https://repo/blob/deploy/helm) `[code](gone.md)`',
      '```',
      '[code](gone.md)',
      '```',
    ].join('\n'),
  )
  expect(relativeLinks(result)).toEqual(['api.md'])
})
