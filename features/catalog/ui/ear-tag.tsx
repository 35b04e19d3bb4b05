import { useI18n } from '#page/page-context.tsx'

/** The number on the animal's own ear tag, on the tag's shape. */
export function EarTag({ number, className = '' }: { number: string; className?: string }) {
  const { t } = useI18n()
  return (
    <span className={`ear-tag figures -rotate-3 ${className}`}>
      <span className="sr-only">{t('catalog.tag')} </span>
      {number}
    </span>
  )
}
