// What the demo asks the examples library, and the expected results. The facts and their files are in docs/example-library.md.

export interface TourSearch {
  query: string
  /** One of the shown passages must contain it. */
  expect?: string
}

export interface TourQuestion {
  question: string
  /** What the question shows, in a few words. */
  about?: string
  /** Absent for a user's question, of which only the citations are checked. */
  expect?: Expectation
}

export interface Expectation {
  /** The cited passages must contain these. */
  cited: string[]
  /** At least this many documents are cited; 0: the documents do not have the answer. */
  documents: number
}

export interface Tour {
  searches: TourSearch[]
  questions: TourQuestion[]
  /** The main entities must not be empty. */
  entities: boolean
}

export const exampleTour: Tour = {
  searches: [
    { query: 'final inspection of Unit 4', expect: '29 June' },
    { query: 'BW-2210-10 lead time', expect: 'Brightwater' },
  ],
  questions: [
    {
      question: 'How many months’ written notice end the lease of Unit 4, Ropewalk Yard?',
      about: 'from two documents',
      expect: { cited: ['six months', 'three months'], documents: 2 },
    },
    {
      question: 'What is the accuracy of the TG-40/10?',
      about: 'from a table',
      expect: { cited: ['4 mm'], documents: 1 },
    },
    {
      // Refused before the library can be searched by meaning and afterwards: the questions are asked while that is prepared.
      question: 'How many people work in the Lisbon office?',
      about: 'not in the library',
      expect: { cited: [], documents: 0 },
    },
  ],
  entities: true,
}

/** A tour of the user's files: their questions, without expectations. */
export const ownTour = (questions: string[]): Tour => ({
  searches: [],
  questions: questions.map((question) => ({ question })),
  entities: false,
})
