// A real Chromium on the built service: what a person at a browser sees, does and is told.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Account } from '../support/shared-service.ts'

const executablePath = process.env.KENNING_CHROMIUM
if (!executablePath) throw new Error('KENNING_CHROMIUM names no browser: run `npm run test:browser`.')

// It looks for nothing outside this machine: no updates, no safe browsing, no Google hosts.
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  // WebGL by the processor, for the graph's canvas.
  '--enable-unsafe-swiftshader',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

// One for the files of a worker; each has windows of its own, which share nothing.
let browser: Promise<Browser> | undefined
const launch = (): Promise<Browser> => chromium.launch({ executablePath, args: ARGUMENTS })

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface Window {
  context: BrowserContext
  page: Page
  /** What the page has told the console as an error, uncaught exceptions included. */
  errors: string[]
}

export async function openWindow(origin: string): Promise<Window> {
  browser ??= launch()
  const context = await (await browser).newContext({
    baseURL: origin,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(300_000)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  return { context, page, errors }
}

/** At the end of a file. */
export async function closeWindows(): Promise<void> {
  for (const context of (await browser)?.contexts() ?? []) await context.close()
}

export async function signIn(page: Page, account: Account): Promise<void> {
  await page.getByLabel('Email address').fill(account.email)
  await page.getByLabel('Password').fill(account.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/**
 * Nothing on the page as it is now is wrong in the eyes of axe, and a screen reader has a name for everything. A theme changes
 * colours only: the dark one is asked for these.
 */
export async function expectAccessible(page: Page): Promise<void> {
  expect([
    ...(await namelessNodes(page)),
    ...(await accessibilityProblems(page, 'light', {})),
    ...(await accessibilityProblems(page, 'dark', { runOnly: ['color-contrast', 'link-in-text-block'] })),
  ]).toEqual([])
}

/** Whatever can be operated, looked at as one, or jumped to; Chromium's names of the roles. */
const NAMED_ROLES = new Set(
  (
    'alertdialog application button checkbox combobox complementary dialog heading image img link listbox meter ' +
    'navigation option progressbar radio region searchbox slider spinbutton switch tab table textbox'
  ).split(' '),
)

/** Nodes of the accessibility tree, which is what a screen reader is given, that have no name but should: a line each. */
export async function namelessNodes(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  try {
    const { nodes } = await session.send('Accessibility.getFullAXTree')
    if (nodes.length < 5) throw new Error('the page has no accessibility tree')
    const byId = new Map(nodes.map((node) => [node.nodeId, node]))
    const named = (id: string | undefined): string => {
      const node = byId.get(id ?? '')
      if (!node) return ''
      return node.name?.value ? `“${node.name.value}”` : named(node.parentId)
    }
    const whole = named(nodes[0]?.nodeId)
    return (
      nodes
        .filter(({ ignored, role, name }) => !ignored && NAMED_ROLES.has(role?.value) && !name?.value?.trim())
        .map(({ role, parentId }) => ({ role: role?.value, within: named(parentId) }))
        // What it stands in may say what a table is.
        .filter(({ role, within }) => role !== 'table' || within === whole)
        .map(({ role, within }) => `a ${role} without a name, in ${within}`)
    )
  } finally {
    await session.detach()
  }
}

/** A line each. */
async function accessibilityProblems(
  page: Page,
  colorScheme: 'light' | 'dark',
  options: object,
): Promise<string[]> {
  await page.emulateMedia({ colorScheme })
  // By the debugger, which the page's policy does not bind: no script of the page may do this. Half a megabyte, once a page.
  if (!(await page.evaluate('Boolean(globalThis.axe)'))) await page.evaluate(axe)
  const { violations } = await page.evaluate<{
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
  }>(`axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...options })})`)
  await page.emulateMedia({ colorScheme: null })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${colorScheme} ${id}: ${html}\n  ${failureSummary}`),
  )
}
