// Takes a conversation along: as Markdown, as a document for Word, or printed, which browsers also save as PDF.

import { Download } from 'lucide-react'
import type { Output } from '../../../src/client/client.ts'
import { conversationMarkdown, fileNameOf } from '../../../src/transcript/markdown.ts'
import { t } from '../language/text.tsx'
import { Button } from '../parts/button.tsx'
import { saveBlob } from '../parts/download.ts'
import { loadWithRetries } from '../parts/patiently.ts'

type Turns = Output<'getThread'>['turns']

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

export function TakeAlong({ title, turns }: { title: string; turns: Turns }) {
  const saveMarkdown = (): void =>
    saveBlob(
      new Blob([conversationMarkdown(title, turns)], { type: 'text/markdown' }),
      `${fileNameOf(title)}.md`,
    )
  const saveDocx = async (): Promise<void> => {
    const { conversationDocx } = await loadWithRetries(() => import('../../../src/transcript/docx.ts'))
    saveBlob(new Blob([conversationDocx(title, turns)], { type: DOCX }), `${fileNameOf(title)}.docx`)
  }
  // Browsers name a PDF after the page.
  const printPage = (): void => {
    const pageTitle = document.title
    addEventListener(
      'afterprint',
      () => {
        document.title = pageTitle
      },
      { once: true },
    )
    document.title = fileNameOf(title)
    print()
  }
  return (
    <div className="-ml-3 flex flex-wrap items-center gap-x-1 text-sm text-soft">
      <span className="flex items-center gap-1.5 px-3">
        <Download size={14} aria-hidden /> {t('Take the conversation along:')}
      </span>
      <div className="flex flex-wrap">
        <Button kind="quiet" onClick={saveMarkdown}>
          Markdown
        </Button>
        <Button kind="quiet" onClick={() => void saveDocx()}>
          Word
        </Button>
        <Button kind="quiet" onClick={printPage}>
          {t('Print or save as PDF')}
        </Button>
      </div>
    </div>
  )
}
