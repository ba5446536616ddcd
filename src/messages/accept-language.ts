// The header `Accept-Language` (RFC 9110 section 12.5.4).

/** The locales of the header, the most wanted first. Those with the quality 0 are left out, and so is `*`. */
export function acceptedLocales(header: string | undefined): string[] {
  const ranges = (header ?? '').split(',').map((range) => {
    const [locale = '', ...parameters] = range.split(';').map((part) => part.trim())
    const quality = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2)
    return { locale, quality: quality === undefined ? 1 : Number(quality) }
  })
  return ranges
    .filter(({ locale, quality }) => /^[a-z]{2,3}(-[a-z\d]+)*$/i.test(locale) && quality > 0 && quality <= 1)
    .sort((a, b) => b.quality - a.quality)
    .map(({ locale }) => locale)
}
