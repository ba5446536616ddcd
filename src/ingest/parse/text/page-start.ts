// How an HTML page begins: for telling it from plain text, in the API as in the parser.

/** Whether a text begins as a whole page does. */
export function isHtmlPage(text: string): boolean {
  return /^\ufeff?\s*(<\?xml[^>]{0,200}>\s*)?(<!--[\s\S]{0,2000}?-->\s*)?<(!doctype html|html)[\s>]/i.test(
    text.slice(0, 4000),
  )
}
