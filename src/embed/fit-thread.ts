// The thread of a fit: gets the rows, answers with the basis, and ends.

import { parentPort, workerData } from 'node:worker_threads'
import { fitBasis, type TermRows } from './fit.ts'

const basis = fitBasis(workerData as TermRows)
const { terms, scales, vectors } = basis
parentPort?.postMessage(basis, [terms.buffer, scales.buffer, vectors.buffer] as ArrayBuffer[])
