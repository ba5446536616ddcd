// Which files of this machine are meant: files by name, folders with what lies in them, and patterns. Hidden files, and
// what other programs leave behind, are left out unless they are named themselves.

import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, isAbsolute, join, normalize, resolve, sep } from 'node:path'
import { nothingThere } from './failure.ts'
import { globMatcher, requirePattern, splitGlob } from './glob.ts'

export interface LocalFile {
  /** Where it lies on this machine. */
  file: string
  /** Its name at the service: with its folders, by slashes. */
  path: string
  bytes: number
  /** Milliseconds; with size and inode it tells whether the file was written to. */
  changed: number
  /** Of its metadata, which a program cannot set. */
  touched: number
  inode: number
}

export interface CollectOptions {
  /** Only paths that match one of these patterns. */
  include?: readonly string[]
  exclude?: readonly string[]
  /** Also files and folders whose name begins with a dot. */
  hidden?: boolean
  /** Links are followed; not in what strangers wrote, where a link may lead to any file of this machine. */
  links?: boolean
  /** Called whenever something comes, for whoever watches. */
  onMoved?(): void
}

export interface Collected {
  files: LocalFile[]
  /** Of a kind that no service reads, such as programs and films. */
  unreadable: string[]
}

const ALWAYS_OUT = new Set(['node_modules', '__pycache__', 'thumbs.db', 'desktop.ini', '$recycle.bin'])
/** Lock files of office programs, and downloads under way. */
const TEMPORARY = /^~\$|\.(tmp|part|crdownload|swp)$|~$/i
const UNREADABLE =
  /\.(7z|a|aac|avi|bin|bz2|class|dat|db|deb|dll|dmg|dylib|exe|flac|gz|ico|img|iso|jar|lock|m4a|m4v|mkv|mov|mp3|mp4|mpeg|mpg|o|obj|ogg|otf|parquet|pyc|rar|rpm|so|sqlite|svg|tar|tgz|ttf|wasm|wav|webm|wmv|woff2?|xz|zip|zst)$/i

/** @throws SyncFailed (not_found) for a place that does not exist */
export async function collect(
  places: readonly string[],
  cwd: string,
  options: CollectOptions = {},
): Promise<Collected> {
  const collected: Collected = { files: [], unreadable: [] }
  for (const place of places) {
    const { base, glob } = splitGlob(place.split(sep).join('/'))
    const at = resolve(cwd, place)
    const there = await stat(at).catch(() => undefined)
    if (there?.isDirectory()) await walk(at, keptPath(place), options, collected)
    else if (there) collected.files.push(asFile(at, keptPath(place), there))
    else if (glob !== undefined) {
      const matching = globMatcher(glob)
      const inside: Collected = { files: [], unreadable: [] }
      await walk(resolve(cwd, base), '', options, inside)
      const matched = inside.files.filter(({ path }) => matching(path))
      const prefix = keptPath(base || '.')
      collected.files.push(...matched.map((file) => ({ ...file, path: joined(prefix, file.path) })))
      collected.unreadable.push(...inside.unreadable.filter((path) => matching(path)))
      if (matched.length === 0) throw nothingThere(`No file matches ${place}.`)
    } else throw nothingThere(`There is no file or folder ${place}.`)
  }
  return { ...collected, files: distinct(collected.files) }
}

/** Everything in a folder, with paths below it. */
export async function collectFolder(folder: string, options: CollectOptions = {}): Promise<Collected> {
  const collected: Collected = { files: [], unreadable: [] }
  await walk(folder, '', options, collected)
  return collected
}

/** A relative place keeps its folders; of one that leads elsewhere only the last step is kept. */
function keptPath(place: string): string {
  const clean = normalize(place).split(sep).join('/').replace(/\/$/, '')
  if (clean === '.') return ''
  return isAbsolute(place) || clean.startsWith('..') ? basename(resolve(place)) : clean
}

const joined = (folder: string, name: string): string => (folder ? `${folder}/${name}` : name)

async function walk(
  root: string,
  prefix: string,
  options: CollectOptions,
  collected: Collected,
): Promise<void> {
  const isIn = options.include?.length ? patterns(options.include) : () => true
  const isOut = patterns(options.exclude ?? [])
  const visited = new Set<string>()
  const visit = async (folder: string, below: string): Promise<void> => {
    // A link may lead back to a folder above it.
    const real = await realpath(folder)
    if (visited.has(real)) return
    visited.add(real)
    options.onMoved?.()
    const entries = await readdir(folder, { withFileTypes: true })
    // In one order on every machine.
    entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      const { name } = entry
      if (!options.hidden && name.startsWith('.')) continue
      if (ALWAYS_OUT.has(name.toLowerCase()) || TEMPORARY.test(name)) continue
      if (entry.isSymbolicLink() && options.links === false) continue
      const file = join(folder, name)
      const path = joined(below, name)
      if (isOut(path)) continue
      // Gone meanwhile, or a link that leads nowhere.
      const there = await stat(file).catch(() => undefined)
      if (there?.isDirectory()) await visit(file, path)
      else if (there?.isFile() && isIn(path)) {
        if (UNREADABLE.test(name)) collected.unreadable.push(joined(prefix, path))
        else if (there.size > 0) collected.files.push(asFile(file, joined(prefix, path), there))
      }
    }
  }
  await visit(root, '')
}

/** Which files of a list are meant, by the rules for folders; for sources that are no folder of this machine. */
export function isWanted(options: CollectOptions): (path: string) => 'yes' | 'no' | 'unreadable' {
  const isIn = options.include?.length ? patterns(options.include) : () => true
  const isOut = patterns(options.exclude ?? [])
  return (path) => {
    const steps = path.split('/')
    const isLeft = steps.some(
      (step) =>
        (!options.hidden && step.startsWith('.')) ||
        ALWAYS_OUT.has(step.toLowerCase()) ||
        TEMPORARY.test(step),
    )
    if (isLeft || !isIn(path) || isOut(path)) return 'no'
    return UNREADABLE.test(path) ? 'unreadable' : 'yes'
  }
}

/** A pattern without a slash means the name in any folder; that of a folder means what lies in it. */
function patterns(globs: readonly string[]): (path: string) => boolean {
  const matchers = globs.map((one) => {
    requirePattern(one)
    const clean = one.replace(/^\.?\//, '').replace(/\/$/, '')
    return globMatcher(`${clean.includes('/') ? clean : `**/${clean}`}/**`)
  })
  return (path) => matchers.some((isMatch) => isMatch(path))
}

/** macOS keeps names decomposed; the service keeps them composed. */
const asFile = (
  file: string,
  path: string,
  { size, mtimeMs, ctimeMs, ino }: { size: number; mtimeMs: number; ctimeMs: number; ino: number },
): LocalFile => ({
  file,
  path: path.normalize('NFC'),
  bytes: size,
  changed: mtimeMs,
  touched: ctimeMs,
  inode: ino,
})

const distinct = (files: readonly LocalFile[]): LocalFile[] => [
  ...new Map(files.map((file) => [file.path, file])).values(),
]
