import { useState } from 'react'
import { useI18n } from '#page/page-context.tsx'
import { CategoryList, type CategoryListProps } from './category-list.tsx'

export interface Props extends CategoryListProps {
  /** The URL of the list, the name or id that its API takes, and the page's texts in the reader's language. */
  category: { path: string; name: string; title: string; lead: string }
}

/** The list of the fruits, or of a category that the owner has added. */
export function Page({ category, ...props }: Props) {
  const { t } = useI18n()
  const [source] = useState({ path: category.path, api: '/api/products' as const, category: category.name })
  const words = { title: category.title, lead: category.lead, notesTitle: t('catalog.notes') }
  return <CategoryList {...props} source={source} bands={[]} words={words} />
}
