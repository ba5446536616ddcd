// The files of a drop or a file dialog, with their folders.

export interface SelectedFile {
  /** Includes its folders: `Contracts/2024/lease.pdf`. */
  name: string
  content: File
}

/** Files that a system creates and users do not want to upload. */
const isClutter = (name: string): boolean => /^(\.|~\$|Thumbs\.db$|desktop\.ini$)/i.test(name)

/** Every file of a drop, including those in dropped folders. */
export async function filesOfDrop(transfer: DataTransfer): Promise<SelectedFile[]> {
  // Entries must be read before the first await, because the browser empties the list after the event.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return filesOfInput(transfer.files)
  const files: SelectedFile[] = []
  for (const entry of entries) await collect(entry, '', files)
  return files
}

export const filesOfInput = (files: FileList): SelectedFile[] =>
  [...files]
    .filter(({ name }) => !isClutter(name))
    .map((content) => ({ name: content.webkitRelativePath || content.name, content }))

/** The files as they lie in this folder; empty: in none. */
export const inFolder = (files: readonly SelectedFile[], folder: string): SelectedFile[] => {
  const path = folder.replaceAll('\\', '/').replace(/^\/+|\/+$/g, '')
  return files.map(({ name, content }) => ({ name: path ? `${path}/${name}` : name, content }))
}

async function collect(entry: FileSystemEntry, folder: string, files: SelectedFile[]): Promise<void> {
  if (isClutter(entry.name)) return
  if (entry.isFile) {
    const content = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    )
    files.push({ name: folder + entry.name, content })
    return
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  // A reader returns at most a hundred entries at a time.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (entries.length === 0) return
    for (const child of entries) await collect(child, `${folder}${entry.name}/`, files)
  }
}
