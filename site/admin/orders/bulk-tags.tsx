import { type FormEvent, useState } from 'react'
import { Button } from '#components/button.tsx'
import { Dialog } from '#components/dialog.tsx'
import { showToast } from '#components/toast.tsx'
import { MAX_ORDER_TAGS } from '#features/orders/tags/tag-rules.ts'
import type { TaggedOrder } from '#features/orders/tags/tags.server.ts'
import { formatNumber, localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost, failureText } from '../ui/admin-post.ts'
import { TagField } from './order-tags.tsx'

const FORM = 'bulk-tags'

/** Adds a tag to the selected orders, or removes it from them. */
export function BulkTags({ ids, usedTags, clear }: { ids: number[]; usedTags: string[]; clear: () => void }) {
  const { t, lang } = useI18n()
  const [isOpen, setOpen] = useState(false)
  const [does, setDoes] = useState<'add' | 'remove'>('add')
  const [tag, setTag] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  async function send(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    const written = await adminPost<{ results: TaggedOrder[] }>('/admin/orders/tags', { orders: ids, [does]: [tag] })
    setBusy(false)
    if (!written.ok) return setProblem(Object.values(written.errors)[0]?.[0] ?? failureText(written, t))
    const full = written.body.results.filter(({ ok }) => !ok).map(({ id }) => localizeDigits(lang, String(id)))
    if (full.length > 0) {
      setProblem(t('admin-orders.tags-full-orders', { max: formatNumber(MAX_ORDER_TAGS, lang), orders: full.join(', ') }))
      return
    }
    showToast(t('admin.saved'))
    clear()
    location.reload()
  }
  return (
    <>
      <Button size="small" kind="tag" onClick={() => setOpen(true)}>
        {t('admin-orders.tags')}
      </Button>
      {/* The bar is dark; the dialog is not. */}
      <div className="text-ink">
        {isOpen ? (
          <Dialog
            open
            onClose={() => setOpen(false)}
            closeLabel={t('admin.close')}
            title={t('admin-orders.tags-of', { count: formatNumber(ids.length, lang) })}
            actions={
              <>
                <Button kind="secondary" onClick={() => setOpen(false)}>
                  {t('admin.cancel')}
                </Button>
                <Button type="submit" form={FORM} busy={isBusy}>
                  {t('admin.save')}
                </Button>
              </>
            }
          >
            <form id={FORM} noValidate className="grid gap-3" onSubmit={send}>
              <div className="flex flex-wrap gap-4">
                {(['add', 'remove'] as const).map((one) => (
                  <label key={one} className="flex min-h-11 items-center gap-2">
                    <input type="radio" name="does" className="size-5" checked={does === one} onChange={() => setDoes(one)} />
                    {t(`admin-orders.tags-${one}`)}
                  </label>
                ))}
              </div>
              <TagField label={t('admin-orders.tag')} usedTags={usedTags} value={tag} onType={setTag} problem={problem} />
            </form>
          </Dialog>
        ) : null}
      </div>
    </>
  )
}
