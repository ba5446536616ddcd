// The names of months, January first, in lower case.

const monthNames = (text: string): readonly string[] => text.split(' ')

export const MONTHS = {
  en: monthNames('january february march april may june july august september october november december'),
  de: monthNames('januar februar märz april mai juni juli august september oktober november dezember'),
  fr: monthNames('janvier février mars avril mai juin juillet août septembre octobre novembre décembre'),
  es: monthNames('enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'),
  it: monthNames(
    'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre',
  ),
  nl: monthNames('januari februari maart april mei juni juli augustus september oktober november december'),
  pt: monthNames('janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'),
} as const

/** English abbreviations, with the number of their month. */
export const SHORT_MONTHS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    jan: 1,
    feb: 2,
    mar: 3,
    apr: 4,
    jun: 6,
    jul: 7,
    aug: 8,
    sep: 9,
    sept: 9,
    oct: 10,
    nov: 11,
    dec: 12,
  }),
)
