// Which browser and system a user agent names. Browsers name others that they are compatible with, so the order matters.

const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.*\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows NT\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const firstMatch = (table: typeof BROWSERS, userAgent: string): string | undefined =>
  table.find(([pattern]) => pattern.test(userAgent))?.[1]

export const clientOf = (userAgent: string): { browser: string | undefined; system: string | undefined } => ({
  browser: firstMatch(BROWSERS, userAgent),
  system: firstMatch(SYSTEMS, userAgent),
})
