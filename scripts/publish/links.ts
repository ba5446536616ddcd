// Links of documents in a package: those to files that are not in it lead to the repository, at the tag of the version.

import { posix } from 'node:path'

/** Blocks and words of code, in which nothing is a link. */
const CODE = /^```[\s\S]*?^```|`[^`\n]+`/gm
const LINK = /(\]\(|\bsrc="|\bhref=")([^)"\s]+)/g

interface Surroundings {
  /** Whether the package has a file, or a folder with files, at this path. */
  has: (path: string) => boolean
  /** The address of a path outside of the package, of a page or of an image that is shown in one. */
  address: (path: string, isImage: boolean) => string
}

const IMAGE = /\.(png|jpe?g|gif|svg|webp)$/i

/** @param path of the document, from the root of the package */
export function withLinksOut(markdown: string, path: string, { has, address }: Surroundings): string {
  const outside = (text: string): string =>
    text.replace(LINK, (whole, before: string, target: string) => {
      const [file = '', anchor] = target.split('#')
      if (file === '' || /^[a-z][a-z0-9+.-]*:/i.test(file)) return whole
      const place = posix.normalize(posix.join(posix.dirname(path), file)).replace(/\/$/, '')
      if (has(place)) return whole
      return `${before}${address(place, IMAGE.test(file))}${anchor === undefined ? '' : `#${anchor}`}`
    })
  let at = 0
  let result = ''
  for (const { 0: code, index } of markdown.matchAll(CODE)) {
    result += outside(markdown.slice(at, index)) + code
    at = index + code.length
  }
  return result + outside(markdown.slice(at))
}

/** The relative links of a document, without their anchors. */
export const relativeLinks = (markdown: string): string[] =>
  [...markdown.replace(CODE, '').matchAll(LINK)]
    .map(([, , target = '']) => target.split('#')[0] ?? '')
    .filter((target) => target !== '' && !/^[a-z][a-z0-9+.-]*:/i.test(target))
