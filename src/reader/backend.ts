// What every format of files offers to the rest of the reader. `formats/formats.ts` has the table of them.

import type { RenderedPicture } from './shared/pictures/render-picture.ts'
import type { Angle } from './shared/rasters/exif-orientation.ts'
import type { DrawTask, Parser, PictureCandidate, PicturesTask, Report } from './task.ts'

/** Reads one format. */
export interface Backend {
  /** Reads a file into blocks, pages and warnings, within the limits of the task. @throws UnreadableFile */
  parse: Parser
  /** Only for formats whose pages can be shown (`hasPageImages`). */
  openPage?: (task: DrawTask) => Promise<OpenPage>
  /** The pictures by the names that `parse` gave them. */
  eachPicture?: EachPicture
  /** Used instead of `eachPicture` for formats in which pictures have no names before they are searched for. */
  unplacedPictures?: UnplacedPictures
}

/** A page that liteparse can draw. */
export interface OpenPage {
  path: string
  page: number
  /** The clockwise rotation in degrees. */
  angle: Angle
  close: () => Promise<void>
}

export type PictureSource = Pick<PicturesTask, 'id' | 'path' | 'folder'>
export type OnPicture = (name: string, bytes: Buffer) => void

/** Reads a file inside a file: the requested pictures of it. */
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
  hasLargePicture: (path: string) => Promise<boolean>
  /** The pictures that are large enough to contain text, with page and box. */
  find: (file: PictureSource, report: Report) => Promise<PictureCandidate[]>
  /** Undefined for a picture of one colour. */
  render: (file: PictureSource, picture: PictureCandidate) => Promise<RenderedPicture | undefined>
}
