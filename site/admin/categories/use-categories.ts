import { useCallback, useEffect, useState } from 'react'
import { showToast } from '#components/toast.tsx'
import type { CategoryItem } from '#features/catalog/categories/queries.server.ts'
import { translate } from '#lib/i18n/translate.ts'
import { call } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { moved } from '../ui/drag-order.ts'
import { useSaveOrder } from '../ui/use-sort-order.ts'

/** The list of categories as the server has it; null while it loads, 'failed' when it does not come. */
export function useCategories() {
  const { t, lang } = useI18n()
  const [categories, setCategories] = useState<CategoryItem[] | null | 'failed'>(null)

  const load = useCallback(async () => {
    const answer = await call<CategoryItem[]>('/api/admin/categories', { cache: 'no-store' })
    if (answer.ok) return setCategories(answer.body)
    setCategories('failed')
    showToast(translate(lang)('categories.load-failed'), { kind: 'error' })
  }, [lang])
  useEffect(() => void load(), [load])

  const save = useSaveOrder<CategoryItem>({
    url: '/api/admin/categories/reorder',
    onFailed() {
      showToast(t('moving.failed'), { kind: 'error' })
      void load()
    },
  })
  /** Shows the new order immediately, and restores the old one when saving fails. */
  function move(from: number, to: number) {
    if (!Array.isArray(categories)) return
    const next = moved(categories, from, to).map((category, index) => ({ ...category, priority: index + 1 }))
    setCategories(next)
    void save(next)
  }

  async function remove(category: CategoryItem) {
    const gone = await adminPost(`/admin/category/delete/${category.id}`, undefined, { method: 'DELETE' })
    if (!gone.ok) return showToast([t('categories.delete-failed'), gone.message].filter(Boolean).join(' '), { kind: 'error' })
    showToast(t('categories.deleted'))
    await load()
  }

  return { categories, load, move, remove }
}
