// What is dragged from the list of documents, or from the tree of folders, onto a folder of the tree.

import { isWithin, parentOf } from './folders.ts'

export type Drag = { folder: string } | { documentIds: readonly string[] }

/** Whether it can be dropped on the folder. A folder goes neither where it is already, nor into itself. */
export const canDrop = (drag: Drag | undefined, folder: string): drag is Drag =>
  drag !== undefined &&
  ('documentIds' in drag || (!isWithin(folder, drag.folder) && parentOf(drag.folder) !== folder))

const MOVE_TYPE = 'application/x-kenning-move'

/** Marks an event of the browser as the beginning of a move. Some browsers drag nothing that has no data. */
export function beginDrag({ dataTransfer }: { dataTransfer: DataTransfer }, text: string): void {
  dataTransfer.effectAllowed = 'move'
  dataTransfer.setData('text/plain', text)
  dataTransfer.setData(MOVE_TYPE, text)
}

/** Whether the event is of such a move. Browsers may not tell of the end of the last one, and then files or a link are dragged. */
export const isMove = ({ dataTransfer }: { dataTransfer: DataTransfer }): boolean =>
  dataTransfer.types.includes(MOVE_TYPE)
