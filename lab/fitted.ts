// Which rules and weights were made on the very set that a figure is measured on. Such a figure says how well they fit,
// and little about documents that nobody has seen. Written below each part of RESULTS.md and beside the figures of README.

const SEARCH =
  'the weights of search were chosen on this set together with scifact, MuSiQue, MultiHop-RAG and FinanceBench (0011)'

/** By the name of the part in RESULTS.md; parts of speed and memory alone are fitted to nothing. */
export const FITTED: Readonly<Record<string, string>> = {
  meaning:
    'weight and power of meaning were chosen on the gap of words, MuSiQue and scifact; the model was trained on none of these sets (0049)',
  tables: 'the rules for tables were made on these 34 documents and on the 15 filings',
  text: 'causes of errors were looked for in the half “looked at” only; differences of files of the half “held out” were never looked at, but its means were printed after each change, the scores of its single PDFs once, and the reference texts of two of them had been seen before the halves were made',
  fidelity: 'the rules for pages were made on these 15 filings',
  ocr: 'the steps of text recognition were chosen on these pages',
  answers:
    'the weights of answers were fitted on samples of these sets among others (0034); by weights fitted on the other sets see there',
  unseen:
    'answers: the weights shipped are fitted on samples of both sets among others; by weights fitted without them see 0034; search: the preference for documents that a question names was made with the questions of sec10q in sight, its factors chosen among a few round values on it (0032)',
  'unseen-languages':
    'nothing but two weights: the others are those of the part above; what was wrong was looked for in some ten questions of each of these languages, and in fifty of tr, ar, hi and zh; that letters without case weigh .7 was chosen among three values on fifty of zh, th, ar and hi, and that a Vietnamese syllable alone weighs .5 was tried on the very questions of vi (0034)',
  checking:
    'rules and thresholds were made on the half “looked at” and on 40 more sentences over the same documents, which are not kept; of the half “held out” only counts were printed, four times: the first, with one wrong “supported”, led to the higher threshold for sentences without a value; the third, after modality, order and opposites became part of the comparison (two more of its sentences “not found”), led to comparing modality by parts of a sentence, which changed none of its counts; later the last wrong one of the half “looked at” led to compounds that are said by their parts, which changed no count of the others',
  'quality scifact': SEARCH,
  'quality musique100': SEARCH,
  'quality multihoprag': SEARCH,
}

/** The line below a part, or nothing where there was nothing to fit. */
export function fittedLine(part: string): string {
  const on = FITTED[part]
  return on === undefined ? '' : `Fitted on: ${on}.\n\n`
}
