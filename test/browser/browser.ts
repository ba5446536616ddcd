// A real Chromium on the built service: what a person at a browser sees, does and is told.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { ADMIN } from '../support/service.ts'

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

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath, args: ARGUMENTS })

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

export interface Window {
  context: BrowserContext
  page: Page
  /** What the page has told the console as an error, uncaught exceptions included. */
  errors: string[]
}

export async function openWindow(browser: Browser, origin: string): Promise<Window> {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(String(error)))
  return { context, page, errors }
}

export async function signIn(page: Page, account = ADMIN): Promise<void> {
  await page.getByLabel('Email address').fill(account.email)
  await page.getByLabel('Password').fill(account.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** What axe finds wrong on the page as it is now, in one theme: a line each. */
export async function accessibilityProblems(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme })
  // By the debugger, which the page's policy does not bind: no script of the page may do this.
  await page.evaluate(`if (!globalThis.axe) { ${axe} }`)
  const { violations } = await page.evaluate<{
    violations: { id: string; nodes: { html: string; failureSummary: string }[] }[]
  }>('axe.run(document, { resultTypes: ["violations"] })')
  await page.emulateMedia({ colorScheme: null })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${colorScheme} ${id}: ${html}\n  ${failureSummary}`),
  )
}
