import { useI18n } from '#page/page-context.tsx'

/** The tag number of an animal, drawn as an ear tag. */
export function EarTag({ number, className = '' }: { number: string; className?: string }) {
  const { t } = useI18n()
  return (
    <span className={`ear-tag tabular-nums -rotate-3 ${className}`}>
      <span className="sr-only">{t('catalog.tag')} </span>
      {number}
    </span>
  )
}
