// Where Kenning is published: the addresses of publication.json, which are placeholders until somebody publishes it.

import { readFileSync } from 'node:fs'

export interface Publication {
  /** The repository for people and for git. */
  repository: string
  bugs: string
  homepage: string
  /** Where a file of the repository is shown, with `{tag}` and `{path}`. */
  page: string
  /** Where the bytes of a file of the repository are, with `{tag}` and `{path}`. */
  file: string
  /** The image without its tag. */
  image: string
  /** The folder of charts in a registry, with `oci://`. */
  charts: string
}

/** The names that RFC 2606 keeps free for examples. */
const PLACEHOLDER = /\bexample\.(org|com|net)\b/

export const readPublication = (): Publication => JSON.parse(readFileSync('publication.json', 'utf8'))

/** The addresses that nobody has filled in yet, by their names. */
export const placeholdersOf = ({
  repository,
  bugs,
  homepage,
  page,
  file,
  image,
  charts,
}: Publication): string[] =>
  Object.entries({ repository, bugs, homepage, page, file, image, charts })
    .filter(([, address]) => PLACEHOLDER.test(address))
    .map(([name]) => name)

export const tagOf = (version: string): string => `v${version}`

/** The address of a file of the repository at a tag. */
export const addressOf = (template: string, tag: string, path: string): string =>
  template.replace('{tag}', tag).replace('{path}', path)

/** What package.json of a published package has besides its own. @param folder of the package in the repository, '' for its root */
export const fieldsOf = (publication: Publication, folder: string): object => ({
  repository: {
    type: 'git',
    url: `git+${publication.repository}.git`,
    ...(folder ? { directory: folder } : {}),
  },
  homepage: publication.homepage,
  bugs: { url: publication.bugs },
})
