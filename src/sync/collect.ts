// Collects files of this machine: single files, all files in folders, and files that match patterns. Hidden files and temporary files
// of other programs are left out unless they are named themselves.

import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, isAbsolute, join, normalize, resolve, sep } from 'node:path'
import { notFoundFailure } from './failure.ts'
import { globMatcher, requirePattern, splitGlob } from './glob.ts'

export interface LocalFile {
  /** Its path on this machine. */
  file: string
  /** Its name at the service, with its folders, separated by slashes. */
  path: string
  bytes: number
  /** When the content changed, in milliseconds. */
  modifiedMs: number
  /** When the metadata changed (ctime), in milliseconds. Programs cannot set this time. */
  statusChangedMs: number
  inode: number
}

export interface CollectOptions {
  /** If there are patterns, only paths that match one of them are collected. */
  include?: readonly string[]
  exclude?: readonly string[]
  /** Whether files and folders are collected whose name begins with a dot. */
  hidden?: boolean
  /**
   * Whether symbolic links are followed. Not if strangers can write files there, because a link may lead to any file of this
   * machine.
   */
  links?: boolean
  /** Is called whenever there is progress. */
  onProgress?(): void
}

interface CollectedFiles {
  files: LocalFile[]
  /** Files of kinds that the service cannot read, such as programs and films. */
  unreadable: string[]
}

const IGNORED_NAMES = new Set(['node_modules', '__pycache__', 'thumbs.db', 'desktop.ini', '$recycle.bin'])
/** Lock files of office programs, and incomplete downloads. */
const TEMPORARY_NAME = /^~\$|\.(tmp|part|crdownload|swp)$|~$/i
const UNREADABLE_NAME =
  /\.(7z|a|aac|avi|bin|bz2|class|dat|db|deb|dll|dmg|dylib|exe|flac|gz|ico|img|iso|jar|lock|m4a|m4v|mkv|mov|mp3|mp4|mpeg|mpg|o|obj|ogg|otf|parquet|pyc|rar|rpm|so|sqlite|svg|tar|tgz|ttf|wasm|wav|webm|wmv|woff2?|xz|zip|zst)$/i

/** @throws SyncFailed (not_found) for a location that does not exist */
export async function collect(
  locations: readonly string[],
  cwd: string,
  options: CollectOptions = {},
): Promise<CollectedFiles> {
  const collection: CollectedFiles = { files: [], unreadable: [] }
  for (const location of locations) {
    const { base, glob } = splitGlob(location.split(sep).join('/'))
    const absolutePath = resolve(cwd, location)
    const stats = await stat(absolutePath).catch(() => undefined)
    if (stats?.isDirectory()) await walk(absolutePath, servicePathOf(location), options, collection)
    else if (stats) collection.files.push(asFile(absolutePath, servicePathOf(location), stats))
    else if (glob !== undefined) {
      const isMatching = globMatcher(glob)
      const matchesInside: CollectedFiles = { files: [], unreadable: [] }
      await walk(resolve(cwd, base), '', options, matchesInside)
      const matchingFiles = matchesInside.files.filter(({ path }) => isMatching(path))
      const prefix = servicePathOf(base || '.')
      collection.files.push(...matchingFiles.map((file) => ({ ...file, path: joinPath(prefix, file.path) })))
      collection.unreadable.push(...matchesInside.unreadable.filter((path) => isMatching(path)))
      if (matchingFiles.length === 0) throw notFoundFailure(`No file matches ${location}.`)
    } else throw notFoundFailure(`There is no file or folder ${location}.`)
  }
  return { ...collection, files: distinct(collection.files) }
}

/** All files in a folder, with paths relative to it. */
export async function collectFolder(folder: string, options: CollectOptions = {}): Promise<CollectedFiles> {
  const collection: CollectedFiles = { files: [], unreadable: [] }
  await walk(folder, '', options, collection)
  return collection
}

/** The path at the service: a relative path with its folders, otherwise only the last part of the path. */
function servicePathOf(location: string): string {
  const normalizedPath = normalize(location).split(sep).join('/').replace(/\/$/, '')
  if (normalizedPath === '.') return ''
  return isAbsolute(location) || normalizedPath.startsWith('..')
    ? basename(resolve(location))
    : normalizedPath
}

const joinPath = (folder: string, name: string): string => (folder ? `${folder}/${name}` : name)

async function walk(
  root: string,
  prefix: string,
  options: CollectOptions,
  collection: CollectedFiles,
): Promise<void> {
  const isIncluded = options.include?.length ? matcherOf(options.include) : () => true
  const isExcluded = matcherOf(options.exclude ?? [])
  const visitedFolders = new Set<string>()
  const visit = async (folder: string, prefixPath: string): Promise<void> => {
    // A link may lead back to a folder above it.
    const realFolder = await realpath(folder)
    if (visitedFolders.has(realFolder)) return
    visitedFolders.add(realFolder)
    options.onProgress?.()
    const entries = await readdir(folder, { withFileTypes: true })
    // Sorted, so that the order is the same on every machine.
    entries.sort((a, b) => (a.name < b.name ? -1 : 1))
    for (const entry of entries) {
      const { name } = entry
      if (!options.hidden && name.startsWith('.')) continue
      if (IGNORED_NAMES.has(name.toLowerCase()) || TEMPORARY_NAME.test(name)) continue
      if (entry.isSymbolicLink() && options.links === false) continue
      const file = join(folder, name)
      const path = joinPath(prefixPath, name)
      if (isExcluded(path)) continue
      // Undefined if the file has been deleted, or for a link without a target.
      const stats = await stat(file).catch(() => undefined)
      if (stats?.isDirectory()) await visit(file, path)
      else if (stats?.isFile() && isIncluded(path)) {
        if (UNREADABLE_NAME.test(name)) collection.unreadable.push(joinPath(prefix, path))
        else if (stats.size > 0) collection.files.push(asFile(file, joinPath(prefix, path), stats))
      }
    }
  }
  await visit(root, '')
}

/** Applies the rules for folders of this machine to the paths of other sources. */
export function selector(options: CollectOptions): (path: string) => 'yes' | 'no' | 'unreadable' {
  const isIncluded = options.include?.length ? matcherOf(options.include) : () => true
  const isExcluded = matcherOf(options.exclude ?? [])
  return (path) => {
    const steps = path.split('/')
    const isIgnored = steps.some(
      (step) =>
        (!options.hidden && step.startsWith('.')) ||
        IGNORED_NAMES.has(step.toLowerCase()) ||
        TEMPORARY_NAME.test(step),
    )
    if (isIgnored || !isIncluded(path) || isExcluded(path)) return 'no'
    return UNREADABLE_NAME.test(path) ? 'unreadable' : 'yes'
  }
}

/**
 * Matches any of the patterns. A pattern without a slash matches in every folder, and a pattern that matches a folder matches all
 * in it.
 */
function matcherOf(globs: readonly string[]): (path: string) => boolean {
  const matchers = globs.map((glob) => {
    requirePattern(glob)
    const normalizedGlob = glob.replace(/^\.?\//, '').replace(/\/$/, '')
    return globMatcher(`${normalizedGlob.includes('/') ? normalizedGlob : `**/${normalizedGlob}`}/**`)
  })
  return (path) => matchers.some((isMatch) => isMatch(path))
}

/** macOS may decompose names (NFD); the service uses composed ones (NFC). */
const asFile = (
  file: string,
  path: string,
  { size, mtimeMs, ctimeMs, ino }: { size: number; mtimeMs: number; ctimeMs: number; ino: number },
): LocalFile => ({
  file,
  path: path.normalize('NFC'),
  bytes: size,
  modifiedMs: mtimeMs,
  statusChangedMs: ctimeMs,
  inode: ino,
})

const distinct = (files: readonly LocalFile[]): LocalFile[] => [
  ...new Map(files.map((file) => [file.path, file])).values(),
]
