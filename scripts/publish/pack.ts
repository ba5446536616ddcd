// Makes the archive of an npm package as it is published: what `npm pack` puts together, with the addresses of publication.json in
// package.json, the links of its documents to the repository where they lead out of it, and the day of the release in its changelog.
// `npm run package` makes that of Kenning itself.

import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { withReleaseDay } from './changelog.ts'
import { withLinksOut } from './links.ts'
import { addressOf, fieldsOf, readPublication, tagOf } from './publication.ts'

export interface Packed {
  /** The archive. */
  file: string
  name: string
  version: string
  /** Its files with their sizes in bytes, as npm counts them. */
  files: { path: string; size: number }[]
}

/** @param folder of the package in the repository, '' for its root. @param to a folder that exists. @param day of the release, if it is one */
export function pack(folder: string, to: string, day?: string): Packed {
  // Its own steps are part of packing, whatever this machine says of those of others.
  const args = ['pack', '--json', '--offline', '--ignore-scripts=false', '--pack-destination', resolve(to)]
  const options = { cwd: folder || '.', encoding: 'utf8' as const, maxBuffer: 2 ** 26 }
  const output = execFileSync('npm', args, options)
  // What steps of the package print stands before it.
  const [packed] = JSON.parse(output.slice(output.search(/^\[/m))) as [
    Omit<Packed, 'file'> & { filename: string },
  ]
  const { filename, name, version, files } = packed
  // npm before 9 says `@kenning/client-0.1.0.tgz` of a file that it calls kenning-client-0.1.0.tgz.
  const file = join(to, filename.replace(/^@/, '').replace('/', '-'))
  complete(file, folder, day)
  return { file, name, version, files }
}

/** Unpacks the archive, puts in what npm does not, and packs it again. */
function complete(archive: string, folder: string, day: string | undefined): void {
  const work = mkdtempSync(join(tmpdir(), 'kenning-pack-'))
  try {
    execFileSync('tar', ['-xzf', resolve(archive), '-C', work])
    const root = join(work, 'package')
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const publication = readPublication()
    const tag = tagOf(manifest.version)
    writeFileSync(
      join(root, 'package.json'),
      `${JSON.stringify({ ...manifest, ...fieldsOf(publication, folder) }, null, 2)}\n`,
    )
    const has = (path: string): boolean => existsSync(join(root, path))
    const address = (path: string, isImage: boolean): string =>
      addressOf(isImage ? publication.file : publication.page, tag, join(folder, path))
    for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
      if (!path.endsWith('.md')) continue
      const text = withLinksOut(readFileSync(join(root, path), 'utf8'), path, { has, address })
      const isChangelog = path === 'CHANGELOG.md' && day !== undefined
      writeFileSync(join(root, path), isChangelog ? withReleaseDay(text, manifest.version, day) : text)
    }
    execFileSync('tar', ['-czf', resolve(archive), '-C', work, 'package'])
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(realpathSync(process.argv[1] ?? '')).href)
  process.stdout.write(`${pack('', '.').file}\n`)
