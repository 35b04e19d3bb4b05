import { KURBANI_BANDS } from '#features/catalog/rules.ts'
import { useI18n } from '#site/app-root.tsx'
import { CategoryList, type CategoryListProps } from './category-list.tsx'

export type Props = CategoryListProps

const SOURCE = { path: '/kurbani', api: '/api/kurbani-cows', category: null } as const

export function Page(props: Props) {
  const { t } = useI18n()
  const words = { title: t('kurbani.title'), lead: t('kurbani.lead'), notesTitle: t('catalog.notes-kurbani') }
  return <CategoryList {...props} source={SOURCE} bands={KURBANI_BANDS} kind="kurbani" words={words} />
}
