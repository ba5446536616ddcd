// What every format of files offers to the rest of the reader. `formats/formats.ts` has the table of them.

import type { RenderedPicture } from './shared/pictures/render-picture.ts'
import type { Angle } from './shared/rasters/exif-orientation.ts'
import type { DrawTask, Parser, PictureCandidate, PicturesTask, Report } from './task.ts'

/** The reading of one format. */
export interface Backend {
  /** A file's bytes, within the limits of the task, to blocks, pages and warnings. @throws UnreadableFile */
  parse: Parser
  /** Only for formats whose pages can be shown (`hasPageImages`). */
  openPage?: (task: DrawTask) => Promise<OpenPage>
  /** The pictures by the names that `parse` gave them. */
  eachPicture?: EachPicture
  /** In place of `eachPicture`, where pictures have no names before they are looked for. */
  unplacedPictures?: UnplacedPictures
}

/** A page that liteparse can draw. */
export interface OpenPage {
  path: string
  page: number
  /** By how much it is turned clockwise. */
  angle: Angle
  close: () => Promise<void>
}

export type PictureSource = Pick<PicturesTask, 'id' | 'path' | 'folder'>
export type OnPicture = (name: string, bytes: Buffer) => void

/** A file inside a file, and the pictures of it that are asked for. */
export type ReadEnclosed = (
  file: PictureSource & { filename: string },
  names: ReadonlySet<string>,
  onPicture: OnPicture,
) => Promise<void>

/** Calls `onPicture` for each of the named pictures, except those that are missing or damaged. */
export type EachPicture = (
  file: PictureSource,
  names: ReadonlySet<string>,
  onPicture: OnPicture,
  readEnclosed: ReadEnclosed,
) => Promise<void>

interface UnplacedPictures {
  /** Whether the file has a picture that is large enough to be read. */
  holds: (path: string) => Promise<boolean>
  /** Those that are large enough, with page and box. */
  find: (file: PictureSource, report: Report) => Promise<PictureCandidate[]>
  /** Undefined for a picture of one colour. */
  render: (file: PictureSource, picture: PictureCandidate) => Promise<RenderedPicture | undefined>
}
