// The style sheet of the plain pages, in the console's colours (style.test.ts). It is a file of its own because their
// Content-Security-Policy allows no inline styles.

import { createHash } from 'node:crypto'

export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #17191c); --back: light-dark(#f6f6f4, #101214); --raised: light-dark(#ffffff, #1e2125);
  --ink: light-dark(#1a1c1f, #e9eaec); --soft: light-dark(#5c6169, #a2a8b1);
  --line: light-dark(#e4e4e0, #2b2f35); --edge: light-dark(#8b9099, #737a85);
  --accent: light-dark(#1f4fa3, #8fb3f5); --on-accent: light-dark(#ffffff, #0f1c33);
  --bad: light-dark(#a8271d, #ffb3aa); --bad-back: light-dark(#fcedeb, #3a1916); --mark: light-dark(#fbe9a9, #5a4a12);
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--back); color: var(--ink); overflow-wrap: anywhere; -webkit-font-smoothing: antialiased;
  font: .9375rem/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", sans-serif;
}
header, main { width: min(100% - 2rem, 27rem); margin-inline: auto; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; justify-content: space-between; align-items: baseline; padding: clamp(1.5rem, 10vh, 6rem) 0 .75rem; }
header .name { font-weight: 600; letter-spacing: -.015em; font-size: 1.0625rem; display: inline-flex; align-items: center; gap: .5rem; }
.mark { width: 1.5rem; height: 1.5rem; fill: var(--accent); }
.mark path { fill: none; stroke: var(--on-accent); stroke-width: 3; stroke-linecap: round; stroke-linejoin: round; }
header .who { color: var(--soft); font-size: .8125rem; }
main { background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; padding: 1.5rem; margin-bottom: 3rem; }
h1 { font-size: 1.25rem; font-weight: 600; line-height: 1.3; margin: 0 0 .75rem; }
h2 { font-size: .8125rem; font-weight: 500; color: var(--soft); margin: 1.25rem 0 .25rem; }
p { margin: 0 0 1rem; }
a { color: var(--accent); }
label { display: block; font-size: .8125rem; font-weight: 500; margin-bottom: .25rem; }
.choice { display: flex; gap: .5rem; align-items: baseline; font-size: inherit; font-weight: 400; margin: .25rem 0; }
input:not([type=checkbox], [type=hidden]) {
  width: 100%; padding: .4rem .75rem; margin-bottom: 1rem; font: inherit; color: inherit;
  background: var(--paper); border: 1px solid var(--edge); border-radius: .375rem;
}
input[readonly] { background: var(--back); }
button, .button {
  font: inherit; font-weight: 500; min-height: 2.5rem; padding: .4rem 1rem; border-radius: .375rem; cursor: pointer;
  border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); white-space: nowrap;
  display: inline-flex; align-items: center; justify-content: center; text-decoration: none;
}
button.plain, .button.plain { background: var(--raised); color: inherit; border-color: var(--edge); }
button:hover, .button:hover { opacity: .9; }
button.plain:hover, .button.plain:hover { border-color: var(--ink); opacity: 1; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .75rem; margin-top: 1.25rem; }
.full { width: 100%; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.problem, .note { background: var(--bad-back); padding: .6rem .8rem; border-radius: .375rem; margin: 0 0 1rem; }
.note { background: color-mix(in srgb, var(--mark) 40%, var(--paper)); }
.soft { color: var(--soft); font-size: .8125rem; }
.host { font-size: 1.375rem; font-weight: 600; line-height: 1.3; margin-bottom: .25rem; }
.host + .note { margin-top: 1rem; }
code { font: .9375em ui-monospace, "SF Mono", Menlo, monospace; }
form + p { margin-top: 1rem; }
body.wide > header, body.wide > main { width: min(100% - 2rem, 56rem); }
body.wide > header { padding-top: 1.5rem; }
.wide h2 { font-weight: 600; }
.wide h2.part { font-size: 1.25rem; color: inherit; margin: 2.5rem 0 0; padding-top: 1.5rem; border-top: 1px solid var(--line); }
.wide h3 { font-size: 1rem; font-weight: 600; margin: 2rem 0 .5rem; }
.wide h4 { font-size: .8125rem; font-weight: 600; margin: 1rem 0 .25rem; }
.wide ul { margin: 0; padding: 0; list-style: none; }
.wide li { padding: .125rem 0; }
.wide table { width: 100%; table-layout: fixed; border-collapse: collapse; font-size: .875rem; }
.wide th, .wide td { text-align: left; vertical-align: top; font-weight: 400; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line); }
.wide thead th { color: var(--soft); font-size: .8125rem; }
.wide thead th:nth-child(-n+2) { width: 29%; }
.wide pre { margin: 1rem 0; padding: .75rem; overflow-x: auto; background: var(--back); border-radius: .375rem; font: .8125rem/1.5 ui-monospace, "SF Mono", Menlo, monospace; overflow-wrap: normal; }
.wide article:target h3 { background: color-mix(in srgb, var(--mark) 40%, var(--paper)); }
main > :last-child, form > :last-child { margin-bottom: 0; }
`

const version = createHash('sha256').update(STYLE).digest('base64url').slice(0, 12)

/** Contains a hash of the content, so that browsers may cache it indefinitely. */
export const STYLE_URL = `/pages.css?v=${version}`
