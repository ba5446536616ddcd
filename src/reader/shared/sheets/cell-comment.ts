// A comment on a cell of a sheet, and the name of a cell.

import type { Block } from '../../block.ts'
import { commentBlock } from '../blocks/comment.ts'

/** A comment on the cell `cell` ("B4"). The author's name, with which programs begin the text, is removed. */
export function cellComment(cell: string, author: string, text: string): Block {
  const prefix = `${author}:`
  const words = text.trim()
  return commentBlock(author, words.startsWith(prefix) ? words.slice(prefix.length) : words, cell)
}

/** The name of a cell: "B4" for row 3 and column 1, which count from 0. */
export function cellName(row: number, column: number): string {
  let letters = ''
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  return `${letters}${row + 1}`
}
