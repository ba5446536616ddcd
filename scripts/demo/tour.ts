// What the demo asks the examples library, and what must come back: a tour that cannot fail would prove nothing.
// The facts and their files stand in examples/README.md.

export interface TourSearch {
  query: string
  /** Must stand in one of the passages shown. */
  expect?: string
}

export interface TourQuestion {
  question: string
  /** Why it is on the tour, in a few words. */
  about?: string
  /** Absent for a user's own question: its citations must resolve, nothing more. */
  expect?: Expectation
}

/** `cited`: words that must stand in the cited passages; none means the documents do not hold the answer. */
export interface Expectation {
  cited: string[]
  /** At least so many documents are cited. */
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
      about: 'over two documents',
      expect: { cited: ['six months', 'three months'], documents: 2 },
    },
    {
      question: 'What is the accuracy of the TG-40/10?',
      about: 'answered by a table',
      expect: { cited: ['4 mm'], documents: 1 },
    },
    {
      question: 'How many electric vans does the co-operative own?',
      about: 'not in the library',
      expect: { cited: [], documents: 0 },
    },
  ],
  entities: true,
}

/** A tour over files we do not know: the user's questions, no expectations. */
export const ownTour = (questions: string[]): Tour => ({
  searches: [],
  questions: questions.map((question) => ({ question })),
  entities: false,
})
