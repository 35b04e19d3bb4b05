import { useState } from 'react'
import { Button } from '#components/button.tsx'
import { showToast } from '#components/toast.tsx'
import { useI18n } from '#page/page-context.tsx'
import { adminPost, showFailure } from './admin-post.ts'
import { clearAttempt } from './idempotency-key.ts'
import { useConfirm } from './confirm.tsx'
import { useListUrl } from './list-url.ts'
import { TrashIcon } from './icons.tsx'

interface DeleteButtonProps {
  url: string
  /** Names the record. */
  question: string
  text?: string
  /** Where to go afterwards. */
  next: string
  /** The form whose attempt ends: the same words are then a new record. */
  attempt?: string
}

/** Deletes the page's record after a confirmation. */
export function DeleteButton({ url, question, text, next, attempt }: DeleteButtonProps) {
  const { t } = useI18n()
  const { ask, dialog } = useConfirm()
  const [isBusy, setBusy] = useState(false)
  const list = useListUrl(next)
  async function press() {
    if (!(await ask({ title: question, text, action: t('admin.delete') }))) return
    setBusy(true)
    const gone = await adminPost(url, undefined, { method: 'DELETE' })
    if (gone.ok) {
      if (attempt) clearAttempt(attempt)
      showToast(t('admin.deleted'))
      return location.assign(list)
    }
    setBusy(false)
    showFailure(gone, t)
  }
  return (
    <>
      <Button kind="quiet" busy={isBusy} onClick={press}>
        <TrashIcon size={18} />
        {t('admin.delete')}
      </Button>
      {dialog}
    </>
  )
}
