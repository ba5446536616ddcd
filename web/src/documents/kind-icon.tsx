// An icon for each kind of file. It only helps the eye: the kind is written beside it.

import {
  CalendarDays,
  FileBraces,
  FileCode,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileType,
  type LucideIcon,
  Mail,
  Presentation,
} from 'lucide-react'

const ICONS: Record<string, LucideIcon> = {
  pdf: FileType,
  pptx: Presentation,
  ppt: Presentation,
  odp: Presentation,
  xlsx: FileSpreadsheet,
  xlsb: FileSpreadsheet,
  xls: FileSpreadsheet,
  ods: FileSpreadsheet,
  csv: FileSpreadsheet,
  html: FileCode,
  mhtml: FileCode,
  email: Mail,
  msg: Mail,
  mbox: Mail,
  calendar: CalendarDays,
  json: FileBraces,
  image: FileImage,
}

export function KindIcon({ kind }: { kind: string }) {
  const Icon = ICONS[kind] ?? FileText
  return <Icon size={16} strokeWidth={1.5} aria-hidden className="shrink-0 text-soft" />
}
