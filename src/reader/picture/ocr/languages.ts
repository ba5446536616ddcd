// The languages text recognition knows: which are asked for, where their training data lies (nothing is downloaded).

import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Language } from '../../../language/language.ts'

export interface OcrSettings {
  /** Tesseract's codes, the likeliest first: eng, deu, chi_sim. */
  languages: readonly string[]
  /** A folder with further `CODE.traineddata` or `CODE.traineddata.gz`. */
  folder?: string
}

const current: { settings: OcrSettings } = { settings: { languages: ['eng', 'deu', 'fra', 'spa'] } }

/** What this process recognises; a parser child is told once, when it starts. */
export const ocrSettings = (): OcrSettings => current.settings

export function useOcr(settings: OcrSettings): void {
  current.settings = settings
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
  xx: undefined,
}

/** Tesseract's code of a language that its stop words tell. */
export const ocrCode = (language: Language): string | undefined => codes[language]

const PACKAGES = '@tesseract.js-data'
// LSTM alone; the other set in the packages is four times as large and for the engine of Tesseract 3.
const VARIANT = '4.0.0_best_int'
const require = createRequire(import.meta.url)

export interface TrainedData {
  folder: string
  gzip: boolean
}

/** Where the training data of a language lies, in the given folder or as an installed package. */
export function trainedData(code: string, folder: string | undefined): TrainedData | undefined {
  if (!/^[A-Za-z]{3}(_[A-Za-z]+)*$/.test(code)) return undefined
  const places = [folder, packageFolder(code)].filter((place) => place !== undefined)
  for (const place of places) {
    if (existsSync(join(place, `${code}.traineddata.gz`))) return { folder: place, gzip: true }
    if (existsSync(join(place, `${code}.traineddata`))) return { folder: place, gzip: false }
  }
  return undefined
}

function packageFolder(code: string): string | undefined {
  try {
    return join(dirname(require.resolve(`${PACKAGES}/${code}/package.json`)), VARIANT)
  } catch {
    return undefined
  }
}

/** Says which of the languages asked for are not there, and which are. @throws Error for the start of a worker */
export function refuseMissingLanguages({ languages, folder }: OcrSettings): void {
  const missing = languages.filter((code) => trainedData(code, folder) === undefined)
  if (missing.length === 0) return
  throw new Error(
    `KENNING_OCR_LANGUAGES: no training data for ${missing.join(', ')}. There are ${installed(folder).join(', ')}. ` +
      `Install another with "npm install ${PACKAGES}/CODE"` +
      (folder === undefined ? '.' : ` or put CODE.traineddata into ${folder}.`),
  )
}

function installed(folder: string | undefined): string[] {
  const packages = dirname(dirname(packageFolder('eng') ?? '/none/none/none'))
  const names = [
    ...namesIn(packages),
    ...namesIn(folder).flatMap((name) => /^(.+)\.traineddata(\.gz)?$/.exec(name)?.[1] ?? []),
  ]
  return [...new Set(names)]
    .filter((code) => code !== 'osd' && trainedData(code, folder) !== undefined)
    .sort()
}

function namesIn(folder: string | undefined): string[] {
  if (folder === undefined || !existsSync(folder)) return []
  return readdirSync(folder)
}
