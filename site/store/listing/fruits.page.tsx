import { useI18n } from '#page/page-context.tsx'
import { CategoryList, type CategoryListProps } from './category-list.tsx'

export type Props = CategoryListProps

const SOURCE = { path: '/fruits', api: '/api/products', category: 'Fruits' } as const

export function Page(props: Props) {
  const { t } = useI18n()
  const words = { title: t('fruits.title'), lead: t('fruits.lead'), notesTitle: t('catalog.notes') }
  return <CategoryList {...props} source={SOURCE} bands={[]} words={words} />
}
