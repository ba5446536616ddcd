// What the HTML reports share: style, table rows, and escaping, since words of documents must never become markup.

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

/** A table row; the cells are HTML. */
export const tableRow = (cells: readonly string[], tag = 'td'): string =>
  `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join('')}</tr>`

/** Follows the light or dark theme of the reader. */
export const STYLE = `:root{--ink:#1c2330;--paper:#fff;--faint:#6b7484;--line:#e3e6eb;--ours:#2b6cb0;--theirs:#d97706;color-scheme:light dark}
@media(prefers-color-scheme:dark){:root{--ink:#e6e9ef;--paper:#14181f;--faint:#98a2b3;--line:#2c3440;--ours:#63a4e8;--theirs:#f0a540}}
body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}th{font-weight:600}
figure{margin:1.5rem 0}figcaption{color:var(--faint)}svg{width:100%;max-width:40rem;height:auto;display:block;font:12px system-ui,sans-serif;fill:var(--ink)}
.tick{fill:var(--faint)}.grid{stroke:var(--line)}.whisker{stroke:var(--ours);stroke-width:3;opacity:.45}.ours{fill:var(--ours)}.theirs{fill:var(--theirs)}.curve{fill:none;stroke:var(--ours);stroke-width:2}
.faint{color:var(--faint)}.hit{font-weight:600;color:var(--ours)}.id{font-family:ui-monospace,monospace;font-size:.85em;overflow-wrap:anywhere}`
