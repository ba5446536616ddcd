// The style sheet of all pages. It is a file of its own because their Content-Security-Policy allows no inline styles.

import { createHash } from 'node:crypto'

export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fff; --back: #f4f5f7; --ink: #16191d; --soft: #59616b; --line: #c9ced6;
  --accent: #1f5fbf; --on-accent: #fff; --bad: #b3261e; --bad-back: #fdecea; --note-back: #fff6dd; --note-line: #d9a514;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #1c1f24; --back: #121417; --ink: #e8eaed; --soft: #a5adb8; --line: #434a54;
    --accent: #8ab4f8; --on-accent: #10213d; --bad: #ffb4ab; --bad-back: #3b1715; --note-back: #332a10; --note-line: #b98f1d;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
header, main { width: min(100% - 2rem, 27rem); margin-inline: auto; }
.wide header, .wide main { width: min(100% - 2rem, 56rem); }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; align-items: baseline; padding: 2rem 0 .75rem; }
header .name { font-weight: 650; letter-spacing: .01em; color: inherit; text-decoration: none; }
header .who { color: var(--soft); font-size: .875rem; }
main { background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; padding: 1.5rem; margin-bottom: 3rem; }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.0625rem; margin: 2rem 0 .5rem; }
p, ul, dl { margin: 0 0 1rem; }
ul { padding-left: 1.25rem; }
a { color: var(--accent); }
nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; margin: -.25rem 0 1.25rem; padding-bottom: .75rem; border-bottom: 1px solid var(--line); }
nav a[aria-current] { color: inherit; font-weight: 650; text-decoration: none; }
pre { overflow-x: auto; margin: 0 0 1rem; font-size: .875rem; }
.buttons, td form:has(select) { display: flex; flex-wrap: wrap; gap: .5rem; align-items: start; }
td select { width: auto; margin: 0; min-height: 2.75rem; }
button, .button, time { white-space: nowrap; }
label, legend { display: block; font-weight: 550; margin-bottom: .25rem; padding: 0; }
fieldset { border: 0; margin: 0 0 1rem; padding: 0; }
.choice { display: flex; gap: .5rem; align-items: baseline; font-weight: 400; margin: .25rem 0; }
input:not([type=checkbox], [type=radio], [type=hidden]), select, textarea {
  width: 100%; padding: .55rem .65rem; margin-bottom: 1rem; font: inherit; color: inherit;
  background: var(--paper); border: 1px solid var(--soft); border-radius: .4rem;
}
button, .button {
  font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1.1rem; border-radius: .4rem; cursor: pointer;
  border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent);
  display: inline-block; text-align: center; text-decoration: none;
}
button.plain, .button.plain { background: transparent; color: var(--accent); }
button.danger { background: transparent; color: var(--bad); border-color: var(--bad); }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin-top: 1.25rem; }
.full { width: 100%; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.problem, .note { border-left: .25rem solid var(--bad); background: var(--bad-back); padding: .6rem .8rem; border-radius: .25rem; margin: 0 0 1rem; }
.note { border-color: var(--note-line); background: var(--note-back); }
.soft { color: var(--soft); font-size: .875rem; }
.host { font-size: 1.25rem; font-weight: 650; line-height: 1.3; margin-bottom: .25rem; }
.host + .note, .host + form { margin-top: 1rem; }
dt { color: var(--soft); font-size: .875rem; }
dd { margin: 0 0 .75rem; }
code { font: .9375em ui-monospace, monospace; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; margin-bottom: 1rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-size: .875rem; font-weight: 550; }
td form { margin: 0; }
form + p { margin-top: 1rem; }
main > :last-child { margin-bottom: 0; }
@media (max-width: 40rem) {
  table, tbody, tr, td { display: block; }
  thead { position: absolute; left: -999rem; }
  tr { border-bottom: 1px solid var(--line); padding: .75rem 0; }
  td { border: 0; padding: .125rem 0; }
  td[data-name]::before { content: attr(data-name) ": "; color: var(--soft); font-size: .875rem; }
}
`

const version = createHash('sha256').update(STYLE).digest('base64url').slice(0, 12)

/** Contains a hash of the content, so that browsers may cache it indefinitely. */
export const STYLE_URL = `/pages.css?v=${version}`
