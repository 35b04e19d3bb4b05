import { Button, ButtonLink } from '#components/button.tsx'
import type { CategoryItem } from '#features/catalog/categories/queries.server.ts'
import { localizeDigits, formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { useConfirm } from '../ui/confirm.tsx'
import { useDragOrder } from '../ui/drag-order.ts'
import { PencilIcon, TrashIcon } from '../ui/icons.tsx'
import { DragHandle, MoveButtons } from '../ui/move-buttons.tsx'
import { useCategories } from './use-categories.ts'

/** The categories in their order: dragged or moved by buttons, saved with every move. */
export function CategoryList({ canWrite }: { canWrite: boolean }) {
  const { t, lang } = useI18n()
  const { categories, load, move, remove } = useCategories()
  const { ask, dialog } = useConfirm()
  const { list, handleOf, rowOf } = useDragOrder<HTMLTableSectionElement>(move)

  if (categories === null)
    return (
      <p role="status" className="admin-card px-4 py-10 text-center text-stone">
        {t('categories.loading')}
      </p>
    )
  if (categories === 'failed')
    return (
      <div role="alert" className="admin-card grid justify-items-center gap-3 px-4 py-10 text-center">
        {t('categories.load-failed')}
        <Button kind="secondary" onClick={load}>
          {t('categories.again')}
        </Button>
      </div>
    )
  if (categories.length === 0) return <p className="admin-card px-4 py-10 text-center text-stone">{t('categories.empty')}</p>

  async function askAndRemove(category: CategoryItem) {
    const agreed = await ask({ title: t('categories.delete-question', { name: category.name }), action: t('categories.delete') })
    if (agreed) await remove(category)
  }
  return (
    <>
      {canWrite ? <p className="mb-2 text-sm text-stone md:hidden">{t('categories.drag-hint')}</p> : null}
      <div className="admin-card overflow-x-clip">
        <table aria-label={t('admin.nav.categories')} className="w-full border-collapse text-sm">
          <thead>
            <tr className="border-b border-line bg-sand text-start">
              <Head>{t('categories.id')}</Head>
              <Head>{t('categories.name')}</Head>
              <Head className="max-md:hidden">{t('categories.description')}</Head>
              <Head>{t('categories.priority')}</Head>
              {canWrite ? <Head>{t('categories.action')}</Head> : null}
            </tr>
          </thead>
          <tbody ref={list}>
            {categories.map((category, index) => (
              <tr key={category.id} data-id={category.id} {...rowOf(index)} className="border-b border-line align-middle last:border-b-0">
                <td className="tabular-nums py-1.5 ps-1 pe-1 md:ps-2">
                  <span className="flex items-center">
                    {canWrite ? <DragHandle {...handleOf(index)} /> : <span className="ps-2" />}
                    {localizeDigits(lang, String(category.id))}
                  </span>
                </td>
                <th scope="row" className="px-2 py-1.5 text-start font-semibold wrap-anywhere">
                  <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
                    {category.name}
                    {category.is_protected ? (
                      <span className="chip chip-stone" title={t('categories.protected')}>
                        {t('categories.protected-chip')}
                      </span>
                    ) : null}
                  </span>
                </th>
                <td className="max-w-md px-2 py-1.5 text-stone wrap-anywhere max-md:hidden">{category.description}</td>
                <td className="tabular-nums px-2 py-1.5">
                  <span className="flex items-center gap-1 max-md:flex-col max-md:gap-0">
                    <Priority value={category.priority} />
                    {canWrite ? <MoveButtons name={category.name} index={index} count={categories.length} onMove={move} /> : null}
                  </span>
                </td>
                {canWrite ? (
                  <td className="px-2 py-1.5">
                    <Actions category={category} onDelete={() => askAndRemove(category)} />
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {dialog}
    </>
  )
}

function Head({ children, className = '' }: { children: string; className?: string }) {
  return (
    <th scope="col" className={`px-2 py-2 text-start whitespace-nowrap first:ps-3 ${className}`}>
      {children}
    </th>
  )
}

function Priority({ value }: { value: number }) {
  const { lang } = useI18n()
  return <span className="min-w-6">{formatNumber(value, lang)}</span>
}

function Actions({ category, onDelete }: { category: CategoryItem; onDelete(): void }) {
  const { t } = useI18n()
  const named = (key: 'categories.edit-named' | 'categories.delete-named') => t(key, { name: category.name })
  return (
    <span className="flex flex-wrap gap-1.5">
      <ButtonLink kind="secondary" size="small" href={`/admin/category/${category.id}/edit`} aria-label={named('categories.edit-named')}>
        <PencilIcon size={18} />
        <span className="max-md:hidden">{t('admin.edit')}</span>
      </ButtonLink>
      <Button
        kind="quiet"
        size="small"
        className="disabled:bg-transparent"
        disabled={category.is_protected}
        title={category.is_protected ? t('categories.protected') : undefined}
        aria-label={named('categories.delete-named')}
        onClick={onDelete}
      >
        <TrashIcon size={18} />
        <span className="max-md:hidden">{t('categories.delete')}</span>
      </Button>
    </span>
  )
}
