// The uploads of this page in a bar below the page: a line for each selection or folder, with its stages. Its files, each with a
// progress bar, are in a panel that opens above the line.

import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, CircleAlert, CircleCheck, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { AskLink } from '../ask/ask-link.tsx'
import { message, plural, t } from '../language/text.tsx'
import { Button, IconButton } from '../parts/button.tsx'
import { formatBytes, formatCount, formatDuration } from '../parts/format.ts'
import { reasonText } from './reason-text.ts'
import { secondsLeft, steadyEstimate } from './time-left.ts'
import {
  cancelUpload,
  canRetry,
  dismissUpload,
  isOpen,
  retryFailed,
  type Upload,
  type UploadFile,
  useUploads,
} from './uploads.ts'

/** Failed files come first, because they need an action of the user. Then come the files that are being read, and last the finished ones. */
const byPriority = (files: readonly UploadFile[]): UploadFile[] =>
  files
    .map((file) => ({ file, priority: priorityOf(file) }))
    .sort((a, b) => a.priority - b.priority)
    .map(({ file }) => file)

const PRIORITIES: Partial<Record<UploadFile['state'], number>> = { failed: 0, running: 1, sending: 2 }
const priorityOf = (file: UploadFile): number => PRIORITIES[file.state] ?? (isOpen(file) ? 3 : 4)

export function UploadBar() {
  const uploads = useUploads()
  return (
    <section
      aria-label={t('Uploads')}
      className="enter-up max-h-[50vh] shrink-0 divide-y divide-line overflow-y-auto border-t border-line bg-back"
    >
      {uploads.toReversed().map((upload) => (
        <UploadLine key={upload.id} upload={upload} />
      ))}
    </section>
  )
}

/** What was uploaded, in a word: the file, the folder that all files are in, or how many files there are. */
function nameOf(files: readonly UploadFile[]): string {
  const [firstFile] = files
  if (firstFile && files.length === 1) return firstFile.name.slice(firstFile.name.lastIndexOf('/') + 1)
  const folders = new Set(files.map(({ name }) => name.slice(0, name.indexOf('/') + 1)))
  const [folder] = folders
  return folders.size === 1 && folder ? folder.slice(0, -1) : plural(files.length, 'file')
}

const joined = (...parts: (string | false)[]): string => parts.filter((part) => part !== false).join(', ')

/** How many files are in each stage. */
function stagesOf(files: readonly UploadFile[], doneCount: number): string {
  const count = (...states: UploadFile['state'][]): number =>
    files.filter(({ state }) => states.includes(state)).length
  const done = t('{done} of {files} searchable', {
    done: formatCount(doneCount),
    files: plural(files.length, 'file'),
  })
  const uploading = count('waiting', 'sending')
  const reading = count('queued', 'running')
  return joined(
    done,
    uploading > 0 && t('{number} uploading', { number: formatCount(uploading) }),
    reading > 0 && t('{number} reading', { number: formatCount(reading) }),
  )
}

const STAGE_SHARES: Partial<Record<UploadFile['state'], number>> = { waiting: 0, sending: 0.2, queued: 0.2 }

/** 0 to 1: how far all files are, of which uploading is a fifth. */
function shareOf(files: readonly UploadFile[]): number {
  const shares = files.map((file) => {
    if (!isOpen(file)) return 1
    if (file.state === 'running') return 0.2 + file.progress * 0.8
    return (STAGE_SHARES[file.state] ?? 0) * (file.state === 'sending' ? file.progress : 1)
  })
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, files.length)
}

function UploadLine({ upload }: { upload: Upload }) {
  const [foldedByUser, setFoldedByUser] = useState<boolean>()
  const { id, files } = upload
  const openFiles = files.filter(isOpen)
  const failedFiles = files.filter(({ state }) => state === 'failed')
  const retryableFiles = files.filter(canRetry)
  const isFolded = foldedByUser ?? !files.some(needsExplaining)
  const doneFiles = files.filter(({ state }) => state === 'searchable' || state === 'complete')
  const isOffline = openFiles.some(({ offline }) => offline)
  const lastSecondsLeft = useRef<number>(undefined)
  lastSecondsLeft.current = steadyEstimate(
    lastSecondsLeft.current,
    secondsLeft(files, (performance.now() - upload.startedAt) / 1000),
  )
  const secondsRemaining = lastSecondsLeft.current
  const state = isOffline
    ? t('The connection is lost. Uploading continues when it is back.')
    : openFiles.length
      ? joined(
          stagesOf(files, doneFiles.length),
          secondsRemaining !== undefined &&
            secondsRemaining > 0 &&
            t('about {duration} left', { duration: formatDuration(secondsRemaining) }),
        )
      : failedFiles.length
        ? plural(failedFiles.length, '{count} file could not be read', '{count} files could not be read')
        : doneFiles.length
          ? plural(doneFiles.length, '{count} file searchable', '{count} files searchable')
          : t('Cancelled')
  const name = nameOf(files)
  const share = shareOf(files)
  return (
    <div className="relative text-sm">
      {!isFolded && (
        <ul className="enter-up max-h-[30vh] overflow-y-auto border-b border-line bg-raised">
          {byPriority(files)
            .slice(0, 200)
            .map((file) => (
              <Row
                key={file.id}
                file={file}
                workspace={upload.workspace}
                retry={canRetry(file) ? () => retryFailed(id, file.id) : undefined}
              />
            ))}
          {files.length > 200 && (
            <li className="px-4 py-2 text-xs text-soft">
              {plural(files.length - 200, 'and {count} file more', 'and {count} files more')}
            </li>
          )}
        </ul>
      )}
      <div className="flex min-h-10 items-center gap-2 px-4 md:px-6">
        <h2 className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 py-1 text-xs">
          <span className="max-w-full truncate font-medium" title={name}>
            {name}
          </span>
          <span aria-live="polite" className="text-soft">
            {state}
          </span>
        </h2>
        {openFiles.length === 0 && doneFiles.length > 0 && <AskLink workspace={upload.workspace} />}
        {retryableFiles.length > 1 && openFiles.length === 0 && (
          <Button kind="quiet" onClick={() => retryFailed(id)}>
            {t('Try all again')}
          </Button>
        )}
        {openFiles.length > 0 && upload.isCancellable && (
          <Button kind="quiet" onClick={() => void cancelUpload(id)}>
            {t('Cancel')}
          </Button>
        )}
        <IconButton
          label={isFolded ? t('Show the files') : t('Hide the files')}
          aria-expanded={!isFolded}
          onClick={() => setFoldedByUser(!isFolded)}
        >
          {isFolded ? <ChevronUp size={16} /> : <ChevronDown size={16} />}
        </IconButton>
        {openFiles.length === 0 && (
          <IconButton label={t('Dismiss')} onClick={() => dismissUpload(id)}>
            <X size={16} />
          </IconButton>
        )}
      </div>
      {openFiles.length > 0 && (
        <div
          aria-hidden
          className="absolute inset-x-0 bottom-0 h-0.5 origin-left bg-accent transition-transform duration-150"
          style={{ transform: `scaleX(${share})` }}
        />
      )}
    </div>
  )
}

/** The result of a file, unless it is simply a new document. */
const OUTCOMES: Partial<Record<NonNullable<UploadFile['outcome']>, string>> = {
  unchanged: message('The same file was here already'),
  replaced: message('New version of the document here'),
  superseded: message('Older than the version here; added to its versions'),
  kept_both: message('Added beside another document of this name, because their texts differ a lot'),
}

/** Whether something about the file has to be said, so that its list is shown. */
const needsExplaining = ({ state, outcome, warnings }: UploadFile): boolean =>
  state === 'failed' ||
  Boolean(outcome && OUTCOMES[outcome]) ||
  Boolean(warnings?.length && state === 'complete')

/** The stages in words for people. */
const STAGES: Record<string, string> = {
  parsing: message('Reading'),
  chunking: message('Dividing the text into passages'),
  indexing: message('Making it searchable'),
}

const stateText = (file: UploadFile): string => {
  if (file.offline) return t('Waiting for the connection')
  if (file.state === 'waiting') return t('Waiting to be sent, {size}', { size: formatBytes(file.size) })
  if (file.state === 'sending')
    return t('Sending, {share}', { share: `${Math.round(file.progress * 100)} %` })
  if (file.state === 'queued') return t('Waiting to be read')
  const text = file.outcome && OUTCOMES[file.outcome]
  const outcome = text && t(text)
  if (file.state === 'searchable') return outcome || t('Searchable; the graph follows')
  if (file.state === 'complete') return outcome || t('Searchable')
  if (file.state === 'cancelled') return t('Cancelled')
  const stage = t(STAGES[file.stage ?? 'parsing'] ?? message('Reading'))
  return file.remainingSeconds
    ? t('{stage}, about {duration}', { stage, duration: formatDuration(file.remainingSeconds) })
    : stage
}

/** Shows the file's name in full. If there is little room, the folders are cut off. */
function PathName({ path }: { path: string }) {
  const nameStart = path.lastIndexOf('/') + 1
  return (
    <>
      {nameStart > 0 && <span className="min-w-4 shrink truncate text-soft">{path.slice(0, nameStart)}</span>}
      <span className={`truncate ${nameStart > 0 ? 'max-w-[85%] shrink-0' : ''}`}>
        {path.slice(nameStart)}
      </span>
    </>
  )
}

interface RowProps {
  file: UploadFile
  workspace: string
  retry: (() => void) | undefined
}

function Row({ file, workspace, retry }: RowProps) {
  const isDone = file.state === 'searchable' || file.state === 'complete'
  return (
    <li className="px-4 py-1.5 text-xs md:px-6">
      <div className="flex items-center gap-2">
        {isDone && <CircleCheck size={14} className="shrink-0 text-good" aria-hidden />}
        {file.state === 'failed' && <CircleAlert size={14} className="shrink-0 text-bad" aria-hidden />}
        {isDone && file.documentId ? (
          <Link
            to="/w/$workspace/d/$document"
            params={{ workspace, document: file.documentId }}
            aria-label={file.name}
            title={file.name}
            className="flex min-w-0 flex-1 hover:underline"
          >
            <PathName path={file.name} />
          </Link>
        ) : (
          <span className="flex min-w-0 flex-1" title={file.name}>
            <PathName path={file.name} />
          </span>
        )}
        {retry && (
          <button
            type="button"
            aria-label={t('Try again: {filename}', { filename: file.name })}
            onClick={retry}
            className="ml-auto shrink-0 rounded px-1 text-accent underline"
          >
            {t('Try again')}
          </button>
        )}
      </div>
      {file.problem === undefined ? (
        <div className="text-soft">{stateText(file)}</div>
      ) : (
        <div className="text-xs text-bad">{reasonText(file.problem)}</div>
      )}
      {file.warnings?.map((warning) => (
        <div key={warning} className="text-xs text-soft">
          {warning}
        </div>
      ))}
      {isOpen(file) && (
        <div
          role="progressbar"
          aria-label={t('Progress of {filename}', { filename: file.name })}
          aria-valuenow={Math.round(file.progress * 100)}
          aria-valuemin={0}
          aria-valuemax={100}
          className="mt-1 h-1 overflow-hidden rounded bg-line"
        >
          <div
            className="h-full bg-accent transition-[width] duration-150"
            style={{ width: `${file.progress * 100}%` }}
          />
        </div>
      )}
    </li>
  )
}
