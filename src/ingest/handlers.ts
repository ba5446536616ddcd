// The handlers of the tasks that read files: they choose the parser of a file, decide what follows an error, and record a task
// that is given up.

import type { Queryable } from '../ports/db/db.ts'
import { ParserAway, TimeSliceExceeded, UnreadableFile } from '../reader/reader.ts'
import type { Handler, Slot, Verdict } from '../work/handler.ts'
import type { Task } from '../work/queue.sql.ts'
import { type Failure, failureSentence, MISSING_GRAPH, WAITS_FOR_PARSER } from './failures.ts'
import { finishFile, warnOfWaiting } from './jobs.sql.ts'
import { insertWarning } from './pictures/pictures.sql.ts'
import { readPictures } from './pictures/pictures.ts'
import { MAX_PICTURES, UNREAD_PICTURES } from './pictures/words.ts'
import { ingestFile } from './pipeline.ts'
import type { FileParser, FileTask, IngestDeps } from './task.ts'

/** The dependencies with the slot's memory reservation, and with a parser that notifies the slot when the file has been parsed. */
function withSlot(deps: IngestDeps, task: FileTask, slot: Slot): IngestDeps {
  const { parser } = deps
  const fairnessParser = slot.isFirstOfWorkspace && !task.subject.long ? deps.fairnessParser : undefined
  const leastBusyParser = (): FileParser =>
    fairnessParser && (slot.mustBeShort || backlogOf(fairnessParser) < backlogOf(parser))
      ? fairnessParser
      : parser
  return {
    ...deps,
    reserveMemory: slot.reserveMemory,
    parser: {
      ...parser,
      parse: (job) =>
        leastBusyParser()
          .parse(job)
          .catch((error: unknown) => {
            if (error instanceof TimeSliceExceeded && !slot.mustBeShort) return parser.parse(job)
            throw error
          })
          .finally(slot.onlyWrites),
      get pictures() {
        return leastBusyParser().pictures
      },
    },
  }
}

/** The dependencies with the parsers of the current setting. A task uses these parsers until it ends. */
const withParsers = async (deps: IngestDeps): Promise<IngestDeps> => ({
  ...deps,
  ...(await deps.parsers?.()),
})

const backlogOf = ({ backlog }: FileParser): number => backlog?.() ?? 0

function verdictOf(error: unknown): Verdict | undefined {
  if (error instanceof UnreadableFile) return { giveUp: error.reason }
  if (error instanceof ParserAway) return { busy: error.message, giveUpReason: 'no_parser' satisfies Failure }
  return error instanceof TimeSliceExceeded ? 'long' : undefined
}

/**
 * Reads a file. The first short file of a workspace may use the fairness parser if that has fewer waiting files than the usual
 * one, so that it does not wait behind a text of 100 MB. If the fairness parser does not finish within its time slice, the usual
 * parser reads the file: at once if the task has a usual slot, otherwise after the task is queued again.
 */
export const fileHandler: Handler<IngestDeps> = {
  userVisible: true,
  run: async (deps, task, signal, slot) => {
    try {
      await ingestFile(withSlot(await withParsers(deps), task, slot), task, signal)
    } catch (error) {
      if (error instanceof ParserAway) await warnOfWaiting(deps.db, task, WAITS_FOR_PARSER)
      throw error
    }
  },
  verdict: verdictOf,
  giveUp: {
    write: (tx, task, reason = 'gave_up') =>
      finishFile(tx, task, { status: 'failed', error: failureSentence[reason as Failure] }),
  },
}

/** Reads the pictures of a file, at least one picture in each round. */
export const picturesHandler: Handler<IngestDeps> = {
  run: async (deps, task, signal, slot) => {
    const current = await withParsers(deps)
    await readPictures(withSlot({ ...current, fairnessParser: undefined }, task, slot), task, signal)
  },
  verdict: verdictOf,
  giveUp: {
    rounds: MAX_PICTURES,
    write: (tx, task) => insertWarning(tx, task, UNREAD_PICTURES),
  },
}

/** Adds the warning that the document of the file is not in the graph. */
export const warnOfMissingGraph = (tx: Queryable, task: Task): Promise<unknown> =>
  insertWarning(tx, task, MISSING_GRAPH)
