// The languages of text recognition: which are configured, which are installed, and where their data is (nothing is
// downloaded).

import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Language } from '../../../language/language.ts'
import type { AskOcrServer } from './server.ts'

export interface OcrSettings {
  /** Tesseract's codes, the likeliest first: eng, deu, chi_sim. If empty, nothing is recognised. */
  languages: readonly string[]
  /** A folder with further `CODE.traineddata` or `CODE.traineddata.gz`. */
  folder?: string
  /** The address of a server that recognises pages instead of Tesseract. It is part of the cache key of results. */
  server?: string
}

const state: { settings?: OcrSettings; ask?: AskOcrServer } = {}

/** The settings that this process got from its parent at the start, otherwise every installed language. */
export function ocrSettings(): OcrSettings {
  state.settings ??= { languages: installedLanguages(undefined) }
  return state.settings
}

/** @param ask passes a page on to the process that may call the server */
export function useOcr(settings: OcrSettings, ask?: AskOcrServer): void {
  state.settings = settings
  if (ask && settings.server !== undefined) state.ask = ask
}

/** How this process calls the server. Undefined if Tesseract recognises. */
export const ocrServer = (): AskOcrServer | undefined => state.ask

/** @param languages of KENNING_OCR_LANGUAGES; every installed language when it is not set */
export function configuredOcr(
  languages: readonly string[] | undefined,
  dataDir: string,
  server?: { url: string },
): OcrSettings {
  const folder = join(dataDir, 'tessdata')
  if (server) return { languages: languages ?? ['eng'], folder, server: server.url }
  return { languages: languages ?? installedLanguages(folder), folder }
}

const codes: Record<Language, string | undefined> = {
  en: 'eng',
  de: 'deu',
  fr: 'fra',
  es: 'spa',
  it: 'ita',
  pt: 'por',
  nl: 'nld',
  sv: 'swe',
  da: 'dan',
  no: 'nor',
  fi: 'fin',
  ru: 'rus',
  ar: 'ara',
  el: 'ell',
  ga: 'gle',
  hi: 'hin',
  hu: 'hun',
  hy: 'hye',
  id: 'ind',
  lt: 'lit',
  ne: 'nep',
  ro: 'ron',
  sr: 'srp',
  ta: 'tam',
  tr: 'tur',
  ja: 'jpn',
  th: 'tha',
  vi: 'vie',
  zh: 'chi_sim',
  xx: undefined,
}

/** Tesseract's code of a detected language. */
export const ocrCode = (language: Language): string | undefined => codes[language]

/** The English name of a language with one of Tesseract's codes. */
export function languageName(code: string): string {
  const tag = Object.entries(codes).find(([, tagCode]) => tagCode === code)?.[0]
  return (tag && new Intl.DisplayNames('en', { type: 'language' }).of(tag)) ?? code
}

const PACKAGES = '@tesseract.js-data'
// The data for the LSTM engine only. The other data in the packages are four times as large, for the engine of Tesseract 3 too.
const DATA_VARIANT = '4.0.0_best_int'
const require = createRequire(import.meta.url)

interface TrainedData {
  folder: string
  gzip: boolean
}

/** The training data of a language, in the given folder or in an installed package. Undefined if there is none. */
export function trainedData(code: string, folder: string | undefined): TrainedData | undefined {
  if (!/^[A-Za-z]{3}(_[A-Za-z]+)*$/.test(code)) return undefined
  const folders = [folder, packageFolder(code)].filter((candidate) => candidate !== undefined)
  for (const candidate of folders) {
    if (existsSync(join(candidate, `${code}.traineddata.gz`))) return { folder: candidate, gzip: true }
    if (existsSync(join(candidate, `${code}.traineddata`))) return { folder: candidate, gzip: false }
  }
  return undefined
}

function packageFolder(code: string): string | undefined {
  try {
    return join(dirname(require.resolve(`${PACKAGES}/${code}/package.json`)), DATA_VARIANT)
  } catch {
    return undefined
  }
}

/** The configured languages without data. */
export const missingLanguages = (settings: OcrSettings): string[] =>
  settings.languages.filter((code) => !hasLanguage(code, settings))

/** Whether text of a language can be recognised. A server is assumed to know every language. */
export const hasLanguage = (code: string, { folder, server }: OcrSettings): boolean =>
  server !== undefined || trainedData(code, folder) !== undefined

/** The command that installs the data of these languages. */
export const installCommand = (codes: readonly string[]): string =>
  ['npm install', ...codes.map((code) => `${PACKAGES}/${code}`)].join(' ')

/** @throws Error with the missing languages and how to install them, because a worker without them cannot read scans */
export function requireLanguageData(settings: OcrSettings): void {
  const { folder } = settings
  const missingCodes = missingLanguages(settings)
  if (missingCodes.length === 0) return
  const files = missingCodes.map((code) => `${code}.traineddata`).join(', ')
  throw new Error(
    `KENNING_OCR_LANGUAGES: no data for ${missingCodes.join(', ')}. Install it with "${installCommand(missingCodes)}"` +
      (folder === undefined ? '' : `, or put ${files} into ${folder}`) +
      `, or leave it out of the setting. Installed: ${installedLanguages(folder).join(', ')}.`,
  )
}

/** Every language with data, as a package or in the folder: English first, the others by code. */
export function installedLanguages(folder: string | undefined): string[] {
  const packages = require.resolve.paths(PACKAGES) ?? []
  const names = [
    ...packages.flatMap((modules) => namesIn(join(modules, PACKAGES))),
    ...namesIn(folder).flatMap((name) => /^(.+)\.traineddata(\.gz)?$/.exec(name)?.[1] ?? []),
  ]
  const otherCodes = [...new Set(names)].filter((code) => code !== 'eng' && code !== 'osd').sort()
  return ['eng', ...otherCodes].filter((code) => trainedData(code, folder) !== undefined)
}

function namesIn(folder: string | undefined): string[] {
  if (folder === undefined || !existsSync(folder)) return []
  return readdirSync(folder)
}
