import { type ReactNode, useCallback, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { useI18n } from '#page/page-context.tsx'

export interface Question {
  /** Names the record: `Delete the area Savar?` */
  title: string
  text?: ReactNode
  /** The verb on the button: `Delete`. */
  action: string
  /** Red for irreversible actions; the default. */
  kind?: 'danger' | 'primary'
}

/** `ask` resolves to true after consent; render `dialog` anywhere in the page. */
export function useConfirm(): { ask(question: Question): Promise<boolean>; dialog: ReactNode } {
  const { t } = useI18n()
  const [question, setQuestion] = useState<Question | null>(null)
  const answer = useRef<(agreed: boolean) => void>(() => {})
  const ask = useCallback((request: Question) => {
    setQuestion(request)
    return new Promise<boolean>((resolve) => (answer.current = resolve))
  }, [])
  const close = (agreed: boolean) => {
    const resolve = answer.current
    // The closing dialog calls this again.
    answer.current = () => {}
    // Closed before the answer: while the dialog is open, a field that the caller focuses takes no focus.
    flushSync(() => setQuestion(null))
    resolve(agreed)
  }
  const dialog = (
    <Dialog
      open={question !== null}
      onClose={() => close(false)}
      title={question?.title}
      closeLabel={t('admin.close')}
      actions={
        <>
          <Button kind="secondary" onClick={() => close(false)}>
            {t('admin.cancel')}
          </Button>
          <Button kind={question?.kind ?? 'danger'} onClick={() => close(true)}>
            {question?.action}
          </Button>
        </>
      }
    >
      {question?.text}
    </Dialog>
  )
  return { ask, dialog }
}
