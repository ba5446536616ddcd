// The fit as a thread: takes the rows, answers with the basis, ends.

import { parentPort, workerData } from 'node:worker_threads'
import { fitBasis, type TermRows } from './fit.ts'

const basis = fitBasis(workerData as TermRows)
const { terms, scales, vectors } = basis
parentPort?.postMessage(basis, [terms.buffer, scales.buffer, vectors.buffer] as ArrayBuffer[])
