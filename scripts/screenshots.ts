// Pictures of the console, taken in a real browser from a temporary service with the example library.
//
//   npm run screenshots              the three of the README, into docs/images/
//   npm run screenshots -- --all DIR every page and state, wide and narrow, light and dark, to look at

import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { createClient, type KenningClient } from '../src/client/client.ts'
import { ADMIN, type Service, startService } from '../test/support/service.ts'
import { withPalette } from './screenshots/palette.ts'

const MAX_README_BYTES = 200_000
const QUESTION = 'How much notice does the tenant have to give?'
const UNANSWERABLE = 'What is the boiling point of tungsten?'

/** What the addresses below are made of. */
interface Places {
  workspace: string
  empty: string
  /** Files are uploaded to it. */
  uploads: string
  thread: string
  unsupported: string
  /** Document, page, passage and spans of the first citation. */
  cited: string
  lease: string
  sheet: string
  /** A document with an earlier version. */
  changed: string
  entity: string
}

interface Shot {
  name: string
  path: (at: Places) => string
  /** What has to be there before the picture is taken, and what somebody did before. */
  ready: (page: Page) => Promise<unknown>
  /** One of the README's. */
  readme?: true
}

const text = (words: string | RegExp) => (page: Page) => page.getByText(words).first().waitFor()
/** The second one stands on a page that can be shown. */
const openSource = async (page: Page): Promise<void> => {
  await page
    .getByRole('button', { name: /^Source 2/ })
    .first()
    .click()
  await page.getByRole('complementary', { name: 'Source' }).locator('[data-mark]').first().waitFor()
}
/** On the picture of its page; narrow windows show the text alone. */
const marked = (page: Page): Promise<void> => {
  const isWide = (page.viewportSize()?.width ?? 0) > 1000
  const where = isWide ? '[data-page] [data-mark]' : 'section[aria-current="true"] mark'
  return page.locator(where).first().waitFor()
}

const SHOTS: Shot[] = [
  {
    name: 'ask-citation',
    path: ({ workspace, thread }) => `/w/${workspace}?thread=${thread}`,
    ready: openSource,
    readme: true,
  },
  {
    name: 'document',
    path: ({ workspace, cited }) => `/w/${workspace}/d/${cited}`,
    ready: marked,
    readme: true,
  },
  {
    name: 'search',
    path: ({ workspace }) => `/w/${workspace}/search?q=notice%20period`,
    ready: (page) => page.locator('mark').first().waitFor(),
    readme: true,
  },
  { name: 'ask-start', path: ({ workspace }) => `/w/${workspace}`, ready: text('Ask the documents') },
  {
    name: 'ask-answer',
    path: ({ workspace, thread }) => `/w/${workspace}?thread=${thread}`,
    ready: text(QUESTION),
  },
  {
    name: 'ask-unsupported',
    path: ({ workspace, unsupported }) => `/w/${workspace}?thread=${unsupported}`,
    ready: text(UNANSWERABLE),
  },
  { name: 'ask-empty', path: ({ empty }) => `/w/${empty}`, ready: text('This workspace is empty') },
  {
    name: 'search-start',
    path: ({ workspace }) => `/w/${workspace}/search`,
    ready: text('Search this workspace'),
  },
  {
    name: 'search-nothing',
    path: ({ workspace }) => `/w/${workspace}/search?q=xyzzyplugh`,
    ready: text('Nothing found'),
  },
  { name: 'documents', path: ({ workspace }) => `/w/${workspace}/documents`, ready: text('Staff handbook') },
  {
    name: 'documents-selected',
    path: ({ workspace }) => `/w/${workspace}/documents?by=uploaded_at&order=desc`,
    ready: async (page) => {
      await page.getByRole('checkbox').nth(1).click()
      await page
        .getByRole('checkbox')
        .nth(3)
        .click({ modifiers: ['Shift'] })
    },
  },
  {
    name: 'documents-trash',
    path: ({ workspace }) => `/w/${workspace}/documents`,
    ready: async (page) => {
      await page.getByRole('checkbox').nth(1).click()
      await page.getByRole('button', { name: 'Move to trash' }).click()
      await page.getByRole('link', { name: 'Trash', exact: true }).last().click()
      await page.getByRole('list', { name: 'Documents in the trash' }).waitFor()
    },
  },
  { name: 'documents-empty', path: ({ empty }) => `/w/${empty}/documents`, ready: text('No documents yet') },
  {
    name: 'documents-no-match',
    path: ({ workspace }) => `/w/${workspace}/documents?q=xyzzy`,
    ready: text('No document matches'),
  },
  {
    name: 'documents-upload',
    path: ({ uploads }) => `/w/${uploads}/documents`,
    ready: async (page) => {
      const files = [
        {
          name: 'harbour-rules.md',
          mimeType: 'text/markdown',
          buffer: Buffer.from('# Rules\n\nTwelve berths.\n'),
        },
        { name: 'nothing.md', mimeType: 'text/markdown', buffer: Buffer.from('') },
      ]
      await page.getByLabel('Files to upload').setInputFiles(files)
      await page.getByText('The file is empty.').first().waitFor({ state: 'attached' })
    },
  },
  {
    name: 'documents-failed',
    path: ({ uploads }) => `/w/${uploads}/documents`,
    ready: (page) => page.getByRole('button', { name: /could not be read/ }).click(),
  },
  {
    name: 'documents-sources',
    path: ({ workspace }) => `/w/${workspace}/documents`,
    ready: (page) => page.getByRole('button', { name: 'Sources' }).click(),
  },
  {
    name: 'documents-new-source',
    path: ({ workspace }) => `/w/${workspace}/documents`,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Sources' }).click()
      await page.getByRole('button', { name: 'Add a source' }).click()
    },
  },
  {
    name: 'document-outline',
    path: ({ workspace, lease }) => `/w/${workspace}/d/${lease}?panel=outline`,
    ready: (page) =>
      page.getByRole('complementary', { name: 'Outline' }).getByRole('listitem').first().waitFor(),
  },
  {
    name: 'document-names',
    path: ({ workspace, lease }) => `/w/${workspace}/d/${lease}?panel=entities`,
    ready: (page) => page.getByRole('complementary', { name: 'Names' }).getByRole('link').first().waitFor(),
  },
  {
    name: 'document-versions',
    path: ({ workspace, lease }) => `/w/${workspace}/d/${lease}?panel=versions`,
    ready: (page) =>
      page.getByRole('complementary', { name: 'Versions' }).getByRole('listitem').first().waitFor(),
  },
  {
    name: 'document-changes',
    path: ({ uploads, changed }) => `/w/${uploads}/d/${changed}?panel=versions`,
    ready: async (page) => {
      await page.getByRole('button', { name: /^What changed/ }).click()
      await page.getByRole('dialog').locator('ins').first().waitFor()
    },
  },
  {
    name: 'document-find',
    path: ({ workspace, lease }) => `/w/${workspace}/d/${lease}?find=notice`,
    ready: (page) => page.getByRole('button', { name: 'Next hit' }).click(),
  },
  {
    name: 'document-sheet',
    path: ({ workspace, sheet }) => `/w/${workspace}/d/${sheet}`,
    ready: (page) => page.getByRole('group', { name: 'Table' }).first().waitFor(),
  },
  {
    name: 'document-gone',
    path: ({ workspace }) => `/w/${workspace}/d/00000000-0000-4000-8000-000000000000`,
    ready: text('Not found'),
  },
  {
    name: 'graph',
    path: ({ workspace }) => `/w/${workspace}/graph`,
    ready: (page) => page.getByRole('main').getByRole('link').nth(8).waitFor(),
  },
  {
    name: 'entity',
    path: ({ workspace, entity }) => `/w/${workspace}/graph/${entity}`,
    ready: (page) => page.locator('mark').first().waitFor(),
  },
  {
    name: 'entity-merge',
    path: ({ workspace, entity }) => `/w/${workspace}/graph/${entity}`,
    ready: (page) => page.getByRole('button', { name: 'Merge another entity' }).click(),
  },
  {
    name: 'graph-entity',
    path: ({ workspace, entity }) => `/w/${workspace}/graph?entity=${entity}`,
    ready: (page) => page.locator('aside mark').first().waitFor(),
  },
  {
    name: 'graph-canvas',
    path: ({ workspace }) => `/w/${workspace}/graph?view=canvas`,
    ready: async (page) => {
      await page.locator('canvas').first().waitFor()
      await page.waitForTimeout(3000)
    },
  },
  {
    name: 'graph-table',
    path: ({ workspace }) => `/w/${workspace}/graph?view=table`,
    ready: (page) => page.getByRole('row').nth(5).waitFor(),
  },
  {
    name: 'graph-duplicates',
    path: ({ workspace }) => `/w/${workspace}/graph?view=duplicates`,
    ready: text('the most certain first'),
  },
  {
    name: 'search-why',
    path: ({ workspace }) => `/w/${workspace}/search?q=notice%20period`,
    ready: async (page) => {
      await page.getByRole('button', { name: 'Why this result?' }).first().click()
      await page.getByRole('complementary').locator('table, dl').first().waitFor()
    },
  },
  {
    name: 'inspect',
    path: ({ workspace }) => `/w/${workspace}/inspect?q=notice%20period`,
    ready: (page) => page.getByText('Lease of Unit 4').first().waitFor(),
  },
  {
    name: 'palette',
    path: ({ workspace }) => `/w/${workspace}`,
    ready: async (page) => {
      await text('Ask the documents')(page)
      await page.keyboard.press('Control+k')
      await page.keyboard.type('lease')
      await page.getByRole('option').nth(1).waitFor()
    },
  },
  {
    name: 'shortcuts',
    path: ({ workspace }) => `/w/${workspace}/documents`,
    ready: async (page) => {
      await text('Staff handbook')(page)
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'key-form',
    path: () => '/keys',
    ready: (page) => page.getByRole('button', { name: 'New key' }).click(),
  },
  {
    name: 'docs',
    path: () => '/docs',
    ready: (page) => page.getByRole('heading').first().waitFor(),
  },
  {
    name: 'activity',
    path: ({ workspace }) => `/w/${workspace}/activity`,
    ready: (page) => page.getByRole('cell', { name: ADMIN.email }).first().waitFor(),
  },
  {
    name: 'settings',
    path: ({ workspace }) => `/w/${workspace}/settings`,
    ready: (page) => page.getByLabel('Name', { exact: true }).waitFor(),
  },
  {
    name: 'settings-webhook',
    path: ({ empty }) => `/w/${empty}/settings`,
    ready: async (page) => {
      const form = page.getByRole('form', { name: 'Add a webhook' })
      await form.getByLabel('Address').fill('https://hooks.invalid/kenning')
      await form.getByRole('button', { name: 'Add webhook' }).click()
      await page
        .getByRole('region', { name: 'New webhook' })
        .evaluate((made) => made.scrollIntoView({ block: 'center' }))
    },
  },
  { name: 'no-page', path: ({ workspace }) => `/w/${workspace}/nowhere`, ready: text(/no page/i) },
  { name: 'keys', path: () => '/keys', ready: text('You have no keys.') },
  { name: 'connections', path: () => '/connections', ready: text('No application is connected.') },
  { name: 'people', path: () => '/people', ready: text(/\(you\)/) },
  { name: 'models', path: () => '/models', ready: text('No model yet.') },
  { name: 'spending', path: () => '/spending', ready: text('Limits of a month') },
  { name: 'health', path: () => '/health', ready: text('Files that could not be read') },
  { name: 'usage', path: () => '/usage', ready: text('By month') },
  { name: 'account', path: () => '/settings', ready: text(/signed in as/) },
]

/** A service with the example library, and what the addresses need to know of it. */
async function furnish(service: Service): Promise<Places> {
  const token = await service.token()
  const api = createClient({ baseUrl: service.base, token })
  const { id: workspace } = await api.createWorkspace({ name: 'Tidewick Instruments' })
  const { id: empty } = await api.createWorkspace({ name: 'Sales' })
  const { id: uploads } = await api.createWorkspace({ name: 'Harbour' })
  const job = await api.addExamples({ workspace_id: workspace })
  for await (const { data } of api.jobEvents({ job_id: job.id })) if (data.state === 'complete') break
  const changed = await twice(api, uploads)
  const asked = await api.ask({ workspace_id: workspace, question: QUESTION })
  const unsupported = await api.ask({ workspace_id: workspace, question: UNANSWERABLE })
  const inWorkspace = { workspace_id: workspace }
  const { data: documents } = await api.listDocumentDetails({ ...inWorkspace, limit: 200 })
  const named = (filename: string): string =>
    documents.find((document) => document.filename.endsWith(filename))?.id ?? ''
  const { top_entities } = await api.getThemes(inWorkspace)
  return {
    workspace,
    empty,
    uploads,
    thread: asked.thread_id,
    unsupported: unsupported.thread_id,
    cited: await citedPlace(api, workspace, asked.thread_id),
    lease: named('lease-ropewalk-yard.pdf'),
    sheet: named('budget-2026.xlsx'),
    changed,
    entity: top_entities[0]?.id ?? '',
  }
}

/** The id of a document that was replaced once. */
async function twice(api: KenningClient, workspace_id: string): Promise<string> {
  let id = ''
  for (const [berths, fee] of [
    ['twelve', 'The fee is due on the first of the month.'],
    ['fourteen', 'The fee is due on the fifteenth of the month.'],
  ]) {
    const text = `# Berths\n\nHalden Harbour rents ${berths} berths to fishing boats.\n\n${fee}\n\nThe pumps run all night.\n`
    const files = [{ name: 'berths.md', content: new Blob([text]) }]
    const job = await api.upload({ workspace_id, files, on_conflict: 'replace' })
    for await (const { data } of api.jobEvents({ job_id: job.id })) {
      id = data.files[0]?.document_id ?? id
      if (data.state === 'complete') break
    }
  }
  return id
}

async function citedPlace(api: KenningClient, workspace_id: string, thread_id: string): Promise<string> {
  const { data } = await api.listTurnCitations({ workspace_id, thread_id, turn_number: '1' })
  const passage = data.find(({ boxes }) => boxes.length > 0) ?? data[0]
  if (!passage) throw new Error(`“${QUESTION}” was answered without a citation`)
  const span = passage.spans.map(({ start, end }) => `${start}-${end}`).join(',')
  return `${passage.document_id}?page=${passage.page}&chunk=${passage.chunk_id}${span && `&span=${span}`}`
}

async function signIn(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByLabel('Email address').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
  await page.close()
}

async function take(context: BrowserContext, at: Places, shot: Shot, path: string): Promise<void> {
  const page = await context.newPage()
  try {
    await page.goto(shot.path(at))
    await shot.ready(page)
    // Nothing is on its way any more: pictures of pages, fonts.
    await page.waitForLoadState('networkidle').catch(() => undefined)
    writeFileSync(path, withPalette(await page.screenshot({ animations: 'disabled' })))
    console.log(path, `${Math.round(statSync(path).size / 1000)} kB`)
  } catch (error) {
    await page.screenshot({ path })
    console.error(`${shot.name}: ${String(error).split('\n')[0]}`)
    process.exitCode = 1
  } finally {
    await page.close()
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { all: { type: 'string' }, only: { type: 'string' } } })
  const executablePath = process.env.KENNING_CHROMIUM
  if (!executablePath) throw new Error('KENNING_CHROMIUM names no browser: use `npm run screenshots`.')
  const service = await startService()
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const at = await furnish(service)
    const folder = values.all ?? 'docs/images'
    mkdirSync(folder, { recursive: true })
    const sizes = values.all ? { wide: [1440, 900], narrow: [390, 844] } : { '': [1280, 800] }
    const themes = values.all ? (['light', 'dark'] as const) : (['light'] as const)
    const chosen = SHOTS.filter(
      ({ name, readme }) => (values.all ? true : readme) && (!values.only || name.startsWith(values.only)),
    )
    for (const [size, [width = 0, height = 0]] of Object.entries(sizes))
      for (const colorScheme of themes) {
        const context = await browser.newContext({
          baseURL: service.origin,
          viewport: { width, height },
          colorScheme,
          reducedMotion: 'reduce',
        })
        context.setDefaultTimeout(30_000)
        await signIn(context)
        for (const shot of chosen) {
          const name = values.all ? `${shot.name}-${size}-${colorScheme}` : shot.name
          await take(context, at, shot, join(folder, `${name}.png`))
        }
        await context.close()
      }
    if (!values.all)
      for (const { name } of chosen) {
        const bytes = statSync(join(folder, `${name}.png`)).size
        if (bytes > MAX_README_BYTES) throw new Error(`${name}.png has ${bytes} bytes, more than 200 kB`)
      }
  } finally {
    await browser.close()
    await service.remove()
  }
}

await main()
