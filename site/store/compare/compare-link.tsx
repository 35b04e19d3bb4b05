import { type MouseEvent, useEffect } from 'react'
import { useI18n } from '#page/page-context.tsx'
import type { ProductJson } from '#features/catalog/types.ts'
import { COMPARED_KEY } from './compare-key.ts'

const loadBar = () => import('./compare-bar.tsx')

/** Adds an animal to those that are compared, or removes it. A link to the comparison until the script of the bar is loaded. */
export function CompareLink({ product: { id, product_type: name } }: { product: ProductJson }) {
  const { t } = useI18n()
  useEffect(() => {
    try {
      if (localStorage.getItem(COMPARED_KEY)) void loadBar()
    } catch {}
  }, [])
  const href = `/compare?ids=${id}`
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    void loadBar().then(
      (bar) => bar.toggle(id),
      () => location.assign(href),
    )
  }
  return (
    <a
      href={href}
      rel="nofollow"
      data-compare={id}
      onClick={onClick}
      aria-label={`${t('catalog.compare')}: ${name}`}
      className="compare-link"
    >
      {t('catalog.compare')}
    </a>
  )
}
