// The interface that every file format implements for the rest of the reader. `formats/formats.ts` has the table of formats.

import type { RenderedPicture } from './shared/pictures/render-picture.ts'
import type { Angle } from './shared/rasters/exif-orientation.ts'
import type { DrawTask, Parser, PictureCandidate, PicturesTask, Report } from './task.ts'

/** Reads one format. */
export interface Backend {
  /** Reads a file into blocks, pages and warnings, within the limits of the task. @throws UnreadableFile */
  parse: Parser
  /** Opens one page so that it can be drawn. Only formats whose pages can be shown have this (`hasPageImages`). */
  openPage?: (task: DrawTask) => Promise<OpenPage>
  /** Reads pictures by the names that `parse` gave them. */
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

/** Reads the requested pictures of a file that is inside another file. */
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
  /** Renders one picture. Undefined if it has only one colour. */
  render: (file: PictureSource, picture: PictureCandidate) => Promise<RenderedPicture | undefined>
}
