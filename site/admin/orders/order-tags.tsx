import { type FormEvent, useId, useState } from 'react'
import { Button } from '#components/button.tsx'
import { showToast } from '#components/toast.tsx'
import { MAX_ORDER_TAGS, MAX_TAG_LENGTH } from '#features/orders/tags/tag-rules.ts'
import type { TaggedOrder } from '#features/orders/tags/tags.server.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost, failureText } from '../ui/admin-post.ts'
import { CloseIcon } from '../ui/icons.tsx'
import { usePermissions } from '../ui/use-permissions.ts'

interface OrderTagsProps {
  orderId: number
  tags: string[]
  /** The tags in use, for suggestions. */
  usedTags: string[]
}

/** The tags of an order: each leads to the orders with it; staff add and remove them. */
export function OrderTags({ orderId, tags: initial, usedTags }: OrderTagsProps) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const listId = useId()
  const [tags, setTags] = useState(initial)
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const mayWrite = can('orders.write')
  async function change(changes: { add?: string[]; remove?: string[] }) {
    setBusy(true)
    setProblem(null)
    const written = await adminPost<{ results: TaggedOrder[] }>('/admin/orders/tags', { orders: [orderId], ...changes })
    setBusy(false)
    if (!written.ok) {
      const text = Object.values(written.errors)[0]?.[0] ?? failureText(written, t)
      return changes.add ? setProblem(text) : showToast(text, { kind: 'error' })
    }
    const [result] = written.body.results
    if (!result) return
    setTags(result.tags)
    if (!result.ok) return setProblem(t('admin-orders.tags-full', { max: formatNumber(MAX_ORDER_TAGS, lang) }))
    if (changes.add) setTyped('')
  }
  function add(event: FormEvent) {
    event.preventDefault()
    if (typed.trim() !== '') void change({ add: [typed] })
  }
  return (
    <section className="admin-card p-4" aria-labelledby={`${listId}-title`}>
      <h2 id={`${listId}-title`} className="text-lg">
        {t('admin-orders.tags')}
      </h2>
      {tags.length === 0 ? <p className="mt-1 text-sm text-stone">{t('admin-orders.tags-none')}</p> : null}
      <ul aria-label={t('admin-orders.tags')} className="mt-2 flex flex-wrap gap-2">
        {tags.map((tag) => (
          <li key={tag} className="inline-flex max-w-full items-center rounded-pill border border-line bg-milk text-sm">
            <a href={tagHref(tag)} className="inline-flex min-h-9 min-w-0 items-center ps-3 pe-1 break-all pointer-coarse:min-h-11">
              {tag}
            </a>
            {mayWrite ? (
              <button
                type="button"
                aria-label={t('admin-orders.tag-remove', { tag })}
                disabled={isBusy}
                className="grid size-9 shrink-0 place-items-center rounded-pill text-stone hover:text-terracotta pointer-coarse:size-11"
                onClick={() => void change({ remove: [tag] })}
              >
                <CloseIcon size={13} />
              </button>
            ) : (
              <span className="pe-2" />
            )}
          </li>
        ))}
      </ul>
      {mayWrite ? (
        <form noValidate className="mt-3 flex flex-wrap gap-2" onSubmit={add}>
          <TagField
            label={t('admin-orders.tag')}
            usedTags={usedTags.filter((tag) => !tags.includes(tag))}
            value={typed}
            onType={setTyped}
            problem={problem}
          />
          <Button type="submit" size="small" kind="secondary" busy={isBusy}>
            {t('admin-orders.tag-add')}
          </Button>
        </form>
      ) : null}
    </section>
  )
}

export const tagHref = (tag: string) => `/admin/orders?tag=${encodeURIComponent(tag)}`

interface TagFieldProps {
  label: string
  usedTags: readonly string[]
  value: string
  onType: (text: string) => void
  problem: string | null
}

/** A field for one tag that suggests those in use. */
export function TagField({ label, usedTags, value, onType, problem }: TagFieldProps) {
  const id = useId()
  return (
    <span className="min-w-0 grow">
      <input
        aria-label={label}
        placeholder={label}
        list={`${id}-tags`}
        value={value}
        maxLength={MAX_TAG_LENGTH}
        autoComplete="off"
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        className="admin-input w-full pointer-coarse:min-h-11"
        onChange={(event) => onType(event.target.value)}
      />
      <datalist id={`${id}-tags`}>
        {usedTags.map((tag) => (
          <option key={tag}>{tag}</option>
        ))}
      </datalist>
      {problem ? (
        <span id={`${id}-problem`} className="mt-1 block text-sm font-semibold text-terracotta">
          {problem}
        </span>
      ) : null}
    </span>
  )
}
