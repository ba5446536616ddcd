// Parses a file inside the child: checks it, runs the parser of its kind or the fallback, and cleans the result.

import { randomUUID } from 'node:crypto'
import { open, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Backend } from '../backend.ts'
import {
  type Block,
  isMachineError,
  type ParsedDocument,
  UnreadableFile,
  type UnreadableReason,
} from '../block.ts'
import { formats } from '../formats/formats.ts'
import { cleanDocument, cleanText } from '../shared/blocks/clean.ts'
import { COMPOUND_MAGIC, compoundNames } from '../shared/containers/compound.ts'
import type { EnclosedFile, ParserResult, ParseTask, Report } from '../task.ts'

// Mails attached to mails are read down to this depth.
const MAX_DEPTH = 3
const MAX_ATTACHMENTS = 50
// The limit for the sum of all enclosed files, at any depth. Without it documents inside documents could unpack to thousands
// of times their size.
const MAX_ENCLOSED_BYTES = 500 * 2 ** 20
// A smaller file counts as this many bytes against the limit.
const MIN_ENCLOSED_BYTES = 2 ** 16

interface Nesting {
  /** The number of files around this one. */
  depth: number
  /** The bytes of enclosed files that may still be read, and the number of files that were too large for them. */
  budget: { bytes: number; refused: number }
}
const MAX_WARNINGS = 20
const MAX_NAME_CHARACTERS = 200

// A name in a mail header may have any length.
const shownName = ({ name }: EnclosedFile): string =>
  cleanText(name.slice(0, MAX_NAME_CHARACTERS)).replace(/\s+/g, ' ').trim()

/**
 * Parses one file to clean blocks. @throws UnreadableFile with the reason if it cannot be read, other errors for our
 * own faults
 */
export async function parseFile(
  task: ParseTask,
  report: Report,
  { depth, budget }: Nesting = { depth: 0, budget: { bytes: MAX_ENCLOSED_BYTES, refused: 0 } },
): Promise<ParsedDocument> {
  await refuseUnreadable(task)
  const { enclosed = [], ...parsedFile } = await parseWithFallback(task, report)
  if (parsedFile.unfinished) return parsedFile
  const warnings = [...(parsedFile.warnings ?? [])]
  const files = enclosed.filter((file, index) => file.isPartOfContainer || index < MAX_ATTACHMENTS)
  const unreadCount = enclosed.length - files.length
  if (unreadCount > 0) warnings.push(`${unreadCount} of its ${enclosed.length} attachments were not read.`)
  let unreadMessages = 0
  for (const [index, file] of files.entries()) {
    // Progress in the attachment extends the deadline of the mail.
    const reportOfFile: Report = (progress) =>
      report({ ...progress, share: (index + progress.share) / files.length })
    const enclosedDocument = await readEnclosed(task, file, reportOfFile, { depth: depth + 1, budget })
    if (enclosedDocument.isUnread && file.isPartOfContainer) unreadMessages++
    for (const block of enclosedDocument.blocks) parsedFile.blocks.push(block)
    for (const warning of enclosedDocument.warnings ?? []) warnings.push(`${shownName(file)}: ${warning}`)
  }
  // This warning comes before those about single files, because only the first warnings are shown.
  if (depth === 0 && budget.refused > 0) warnings.unshift(refusedWarning(budget.refused))
  if (unreadMessages > 1)
    warnings.unshift(`${unreadMessages} of its ${files.length} messages could not be read.`)
  const firstWarnings = warnings.slice(0, MAX_WARNINGS)
  const document = withHiddenWarning(
    cleanDocument(firstWarnings.length === 0 ? parsedFile : { ...parsedFile, warnings: firstWarnings }),
    depth,
  )
  if (await hasUnreadPictures(task, document)) document.pictures = 'unplaced'
  if (document.blocks.length === 0 && document.pictures === undefined) throw new UnreadableFile('no_text')
  return document
}

const refusedWarning = (count: number): string =>
  count === 1
    ? '1 file inside was not read: together the files inside are too large.'
    : `${count} files inside were not read: together the files inside are too large.`

/**
 * The document with a warning about its hidden passages. The hidden passages of an attachment are counted with those of its
 * mail.
 */
function withHiddenWarning(document: ParsedDocument, depth: number): ParsedDocument {
  const { hidden = [], warnings = [] } = document
  if (hidden.length === 0 || depth > 0) return document
  const warning =
    hidden.length === 1
      ? '1 passage of hidden text was left out: it is not visible in the document.'
      : `${hidden.length} passages of hidden text were left out: they are not visible in the document.`
  return { ...document, hidden: hidden.filter(({ text }) => text !== ''), warnings: [...warnings, warning] }
}

/**
 * Whether a document with text has pictures that were not read. If all its text was recognised, its pictures are the scanned
 * pages, which were read.
 */
async function hasUnreadPictures({ kind, path }: ParseTask, { blocks }: ParsedDocument): Promise<boolean> {
  const { unplacedPictures } = await formats[kind].backend()
  if (unplacedPictures === undefined || blocks.every(({ confidence }) => confidence !== undefined))
    return false
  return unplacedPictures.hasLargePicture(path)
}

// Warnings that say why only the name of an attachment is in the text.
const messageByReason: Partial<Record<UnreadableReason, string>> = {
  unsupported: 'This kind of attachment is not read.',
  encrypted: 'The attachment is protected by a password.',
  empty: 'The attachment is empty.',
  no_text: 'No text was found in the attachment.',
}
// Warnings that say why a message of a mailbox is missing.
const memberMessageByReason: Partial<Record<UnreadableReason, string>> = {
  encrypted: 'It is protected by a password.',
  empty: 'It is empty.',
  no_text: 'No text was found in it.',
}

const unreadMessage = (reason: UnreadableReason, isPartOfContainer = false): string =>
  isPartOfContainer
    ? (memberMessageByReason[reason] ?? 'It could not be read.')
    : (messageByReason[reason] ?? 'The attachment could not be read.')

type EnclosedDocument = ParsedDocument & { isUnread?: true }

/**
 * The blocks of an attachment under a heading with its name, or the heading and a warning if it cannot be read. Its pages
 * are not counted as pages of the mail, but its pictures are pictures of the mail.
 */
async function readEnclosed(
  task: ParseTask,
  file: EnclosedFile,
  report: Report,
  nesting: Nesting,
): Promise<EnclosedDocument> {
  const { name, level = 2 } = file
  const { sniff } = await import('../identify/sniff.ts')
  const head: Block[] = file.isPartOfContainer
    ? []
    : [{ kind: 'heading', text: `Attachment: ${name}`, level }]
  const unreadAttachment = (reason: UnreadableReason): EnclosedDocument => ({
    blocks: head,
    warnings: [unreadMessage(reason, file.isPartOfContainer)],
    isUnread: true,
  })
  if (nesting.depth > MAX_DEPTH) return unreadAttachment('unsupported')
  // The name is unique, because attached mails are read within the same task.
  const path = join(task.folder, `${task.id}.${randomUUID()}`)
  try {
    const bytes = await file.bytes()
    await writeFile(path, bytes, { mode: 0o600 })
    const sniffed = await sniff(path, name)
    if ('unsupported' in sniffed) return unreadAttachment('unsupported')
    // A message of a mailbox costs nothing, because its bytes are already those of the mailbox.
    const cost = file.isPartOfContainer ? 0 : Math.max(bytes.length, MIN_ENCLOSED_BYTES)
    if (cost > nesting.budget.bytes) {
      nesting.budget.refused++
      return unreadAttachment('too_large_unpacked')
    }
    nesting.budget.bytes -= cost
    // An attachment is read in one go, without rounds.
    const { round: _, ...outer } = task
    const usesFallback = file.isPartOfContainer === true && task.usesFallback
    const enclosedTask = {
      ...outer,
      path,
      filename: name,
      bytes: bytes.length,
      kind: sniffed.kind,
      usesFallback,
    }
    const document = await parseFile(enclosedTask, report, nesting)
    const ownBlocks = withPictures(document, file.part)
    const blocks = file.isPartOfContainer ? ownBlocks : ownBlocks.map(belowAttachmentHeading)
    const hidden = (document.hidden ?? []).map(
      ({ text }): Block => ({ kind: 'paragraph', text, hidden: true }),
    )
    return { ...document, blocks: [...head, ...blocks, ...hidden] }
  } catch (error) {
    if (error instanceof UnreadableFile) return unreadAttachment(error.reason)
    throw error
  } finally {
    await rm(path, { force: true })
  }
}

/** A block of an attachment: without page and box, its headings below the attachment's own, which is on level 2 at most. */
function belowAttachmentHeading({ page: _, bbox: _box, ...block }: Block): Block {
  return block.level === undefined ? block : { ...block, level: Math.min(6, block.level + 2) }
}

/**
 * An attachment's blocks with its pictures back in their places. The pictures of a PDF have no places yet, so they are left
 * out.
 */
function withPictures({ blocks, pictures = [] }: ParsedDocument, part: string | undefined): Block[] {
  if (pictures === 'unplaced' || part === undefined) return blocks
  const result: Block[] = []
  for (let index = 0; index <= blocks.length; index++) {
    const picturesAtIndex = pictures.filter((picture) => picture.at === index)
    const captionedPicture = picturesAtIndex.find(({ captioned }) => captioned)
    const caption = result.at(-1)
    if (captionedPicture && caption) caption.picture = `${part}/${captionedPicture.name}`
    for (const { name } of picturesAtIndex.filter((picture) => picture !== captionedPicture))
      result.push({ kind: 'figure', text: '', picture: `${part}/${name}` })
    const block = blocks[index]
    if (block) result.push(block)
  }
  return result
}

/** Refuses empty and encrypted files, damaged zip containers and zip bombs. */
async function refuseUnreadable(task: ParseTask): Promise<void> {
  const { size } = await stat(task.path)
  if (size === 0) throw new UnreadableFile('empty')
  await refuseEncrypted(task.path)
  if (!formats[task.kind].isZip) return
  const { listZip, refuseZipBomb } = await import('../shared/containers/zip.ts')
  const entries = await listZip(task.path).catch((error: unknown) => {
    if (isMachineError(error)) throw error
    return undefined
  })
  if (entries === undefined || entries.length === 0)
    throw new UnreadableFile('damaged', 'no readable zip container')
  refuseZipBomb(entries, size)
}

/** Refuses an OLE container with an encrypted package, whatever its name, because it needs a password. */
async function refuseEncrypted(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    const magic = await file.read(Buffer.alloc(8), 0, 8, 0)
    if (!magic.buffer.equals(COMPOUND_MAGIC)) return
    if ((await compoundNames(file)).includes('encryptedpackage')) throw new UnreadableFile('encrypted')
  } finally {
    await file.close()
  }
}

async function parseWithFallback(task: ParseTask, report: Report): Promise<ParserResult> {
  const { backend, fallback } = formats[task.kind]
  if (task.usesFallback && fallback !== undefined) return parseAndReport(await fallback(), task, report)
  try {
    return await (await backend()).parse(task, report)
  } catch (error) {
    if (error instanceof UnreadableFile) throw error
    // After a failure of the machine the file is tried again later, not read by the fallback.
    if (fallback === undefined || isTooLarge(error) || isMachineError(error)) throw toUnreadable(error)
    return parseAndReport(await fallback(), task, report).catch((laterError: unknown) => {
      // If the fallback finds no text, the reason of the first parser is more accurate.
      throw laterError instanceof UnreadableFile && laterError.reason === 'no_text'
        ? toUnreadable(error)
        : laterError
    })
  }
}

async function parseAndReport({ parse }: Backend, task: ParseTask, report: Report): Promise<ParserResult> {
  try {
    return await parse(task, report)
  } catch (error) {
    throw toUnreadable(error)
  }
}

/** An error of a parser as the reason why the file cannot be read, unless it comes from the machine. */
export function toUnreadable(error: unknown): unknown {
  if (error instanceof UnreadableFile || isMachineError(error)) return error
  return new UnreadableFile(isTooLarge(error) ? 'too_large_unpacked' : 'damaged', String(error).slice(0, 300))
}

function isTooLarge(error: unknown): boolean {
  return /invalid (string|array|typed array) length|string longer than|allocation failed|out of memory/i.test(
    String(error),
  )
}
