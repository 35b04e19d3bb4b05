import { useEffect, useState } from 'react'
import { Button } from '#components/button.tsx'
import { useI18n } from '#page/page-context.tsx'

/** Copies a text to the clipboard and announces it. Hidden in browsers without a clipboard. `what` names the text for screen readers. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const { t } = useI18n()
  const [canCopy, setCanCopy] = useState(false)
  const [copied, setCopied] = useState(false)
  useEffect(() => setCanCopy(navigator.clipboard !== undefined), [])
  if (!canCopy) return null
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    )
  return (
    <span>
      <Button
        kind="secondary"
        size="small"
        className="min-h-11"
        aria-label={t(copied ? 'advance.copied-what' : 'advance.copy', { what })}
        onClick={() => void copy()}
      >
        {t(copied ? 'advance.copied' : 'advance.copy-short')}
      </Button>
      <span role="status" className="sr-only">
        {copied ? t('advance.copied-what', { what }) : ''}
      </span>
    </span>
  )
}
