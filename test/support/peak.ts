// What a process holds at most while something goes on, as the kernel keeps it: nothing between two looks is missed (Linux).

import { readFile, writeFile } from 'node:fs/promises'

export interface Peak<T> {
  /** Resident kilobytes before and at most. */
  before: number
  most: number
  result: T
}

/** The kernel's own mark is set back first (proc_pid_clear_refs(5), 5), which a process's owner may. */
export async function peakDuring<T>(pid: number, work: () => Promise<T>): Promise<Peak<T>> {
  await writeFile(`/proc/${pid}/clear_refs`, '5')
  const kilobytesBefore = await kilobytes(pid, 'VmRSS')
  const result = await work()
  return { before: kilobytesBefore, most: await kilobytes(pid, 'VmHWM'), result }
}

async function kilobytes(pid: number, name: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1])
}
