// The tasks that read files, as the worker sees them: which parser reads a file, what an error says about the file, and what
// is written down when a task is given up.

import type { Queryable } from '../ports/db/db.ts'
import { ParserAway, TimeSliceExceeded, UnreadableFile } from '../reader/reader.ts'
import type { Handler, Slot, Verdict } from '../work/handler.ts'
import type { Task } from '../work/queue.sql.ts'
import { type Failure, failureSentence, MISSING_GRAPH, WAITS_FOR_PARSER } from './failures.ts'
import { finishFile, warnOfWaiting } from './jobs.sql.ts'
import { insertWarning } from './pictures/pictures.sql.ts'
import { readPictures } from './pictures/pictures.ts'
import { MOST_READ, UNREAD_PICTURES } from './pictures/words.ts'
import { ingestFile } from './pipeline.ts'
import type { FileParser, FileTask, IngestDeps } from './task.ts'

/** What the file's task gets from its slot: a parser that tells the slot when the file is read, and memory. */
function inSlot(deps: IngestDeps, task: FileTask, slot: Slot): IngestDeps {
  const { parser } = deps
  const other = slot.first && !task.subject.long ? deps.newcomers : undefined
  const parserInUse = (): FileParser =>
    other && (slot.newcomer || backlogOf(other) < backlogOf(parser)) ? other : parser
  return {
    ...deps,
    enter: slot.enter,
    parser: {
      ...parser,
      parse: (job) =>
        parserInUse()
          .parse(job)
          .catch((error: unknown) => {
            if (error instanceof TimeSliceExceeded && !slot.newcomer) return parser.parse(job)
            throw error
          })
          .finally(slot.onlyWrites),
      get pictures() {
        return parserInUse().pictures
      },
    },
  }
}

const backlogOf = ({ backlog }: FileParser): number => backlog?.() ?? 0

function verdict(error: unknown): Verdict | undefined {
  if (error instanceof UnreadableFile) return { giveUp: error.reason }
  if (error instanceof ParserAway) return { busy: error.message, atLast: 'no_parser' satisfies Failure }
  return error instanceof TimeSliceExceeded ? 'long' : undefined
}

/**
 * Reads a file. A short one of a workspace of which nothing else is held goes to the parser for newcomers where that is free
 * sooner: behind a text of 100 MB a small file waited for two minutes, though a slot was free to take it. Only there: else
 * all but the first of several workspaces waited in line for one parser. When its turn there ends before it is read, it goes
 * on to the usual parsers: from its own slot, or back through the queue from one for newcomers.
 */
export const fileHandler: Handler<IngestDeps> = {
  awaited: true,
  run: async (deps, task, signal, slot) => {
    try {
      await ingestFile(inSlot(deps, task, slot), task, signal)
    } catch (error) {
      if (error instanceof ParserAway) await warnOfWaiting(deps.db, task, WAITS_FOR_PARSER)
      throw error
    }
  },
  verdict,
  giveUp: {
    write: (tx, task, reason = 'gave_up') =>
      finishFile(tx, task, { status: 'failed', error: failureSentence[reason as Failure] }),
  },
}

/** Reads the pictures of a file, one at least in each round. */
export const picturesHandler: Handler<IngestDeps> = {
  run: (deps, task, signal, slot) =>
    readPictures(inSlot({ ...deps, newcomers: undefined }, task, slot), task, signal),
  verdict,
  giveUp: {
    rounds: MOST_READ,
    write: (tx, task) => insertWarning(tx, task, UNREAD_PICTURES),
  },
}

/** Tells with the file that its document has no part in the graph. */
export const warnOfMissingGraph = (tx: Queryable, task: Task): Promise<unknown> =>
  insertWarning(tx, task, MISSING_GRAPH)
