import type { WeightBand } from '#features/catalog/rules.ts'
import { useI18n } from '#page/page-context.tsx'
import { CategoryList, type CategoryListProps } from './category-list.tsx'

export interface Props extends CategoryListProps {
  bands: WeightBand[]
}

const SOURCE = { path: '/beef', api: '/api/products', category: 'beef' } as const

export function Page(props: Props) {
  const { t } = useI18n()
  const words = { title: t('beef.title'), lead: t('beef.lead'), notesTitle: t('catalog.notes') }
  return <CategoryList {...props} source={SOURCE} words={words} />
}
