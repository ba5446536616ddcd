// The names of months, January first, in lower case.

const twelve = (text: string): readonly string[] => text.split(' ')

export const MONTHS = {
  en: twelve('january february march april may june july august september october november december'),
  de: twelve('januar februar märz april mai juni juli august september oktober november dezember'),
  fr: twelve('janvier février mars avril mai juin juillet août septembre octobre novembre décembre'),
  es: twelve('enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'),
  it: twelve('gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre'),
  nl: twelve('januari februari maart april mei juni juli augustus september oktober november december'),
  pt: twelve('janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'),
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
