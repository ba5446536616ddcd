// What a renderer of Markdown would load, lead to or run: of CommonMark and of GitHub's flavour.

import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

interface Node {
  type: string
  lang?: string | null
  children?: Node[]
}

/** The kinds of nodes found; empty for text that is only text. */
export function dangers(markdown: string): string[] {
  const types: string[] = []
  const visit = (node: Node): void => {
    if (/^(?:image|link|html|definition|footnote)/.test(node.type) || node.lang) types.push(node.type)
    for (const child of node.children ?? []) visit(child)
  }
  visit(fromMarkdown(markdown) as Node)
  visit(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }) as Node)
  return types
}
