import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button, buttonClass, ButtonLink } from '#components/button.tsx'
import { focusIfLost } from '#components/focus-beside.ts'
import type { SavedFilter } from '#features/admin-search/saved-filters.server.ts'
import { formatNumber } from '#lib/format/numbers.ts'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { MAX_SEARCH_LENGTH } from '#lib/format/search-term.ts'
import { MAX_FILTER_NAME_LENGTH } from '#features/admin-search/limits.ts'
import { ActingSelect } from './acting-select.tsx'
import { VIEW_NAMES } from './url-query.ts'
import { adminPost, showFailure } from './admin-post.ts'
import { DayInput } from './day-input.tsx'
import { CloseIcon, FilterIcon, SearchIcon, StarIcon } from './icons.tsx'

export interface FilterField {
  name: string
  label: string
  kind: 'search' | 'text' | 'date' | 'number' | 'select'
  /** Of a select: value and text; the empty value is added. */
  options?: [value: string, text: string][]
  hint?: string
  /** Rarely used: hidden behind a button while empty, so that the others fit one row. */
  isRare?: boolean
}

/** Hides a button's text on narrow desktops, so that an active filter adds no second row. */
const NARROW = 'sm:max-2xl:sr-only'

interface FilterBarProps {
  /** The list's name, as the route's `screen`. */
  screen: string
  fields: FilterField[]
  /** The current values, from the URL. */
  values: Record<string, string | undefined>
  saved?: SavedFilter[]
  /** URL parameters that are retained when the filters change, such as the sort order. */
  retained?: string[]
}

/** The filters of a list, stored in the URL. A plain GET form; choices submit it immediately. */
export function FilterBar({ screen, fields, values, saved, retained = ['sort', 'order', 'rows'] }: FilterBarProps) {
  const { t, lang } = useI18n()
  const { path } = usePageContext()
  const [isOpen, setOpen] = useState(false)
  const action = path.split('?')[0] ?? ''
  const used = fields.filter(({ name }) => values[name]).length
  // A sort order alone is no filter: it is neither saved nor reset.
  const isFiltered = used > 0 || retained.some((name) => values[name] && !VIEW_NAMES.includes(name))
  const [list, setList] = useState(saved ?? [])
  const [naming, setNaming] = useState(false)
  const canSave = saved !== undefined && isFiltered && !naming && !list.some(({ query }) => query === (path.split('?')[1] ?? ''))
  const always = fields.filter(({ kind }) => kind === 'search')
  const endNaming = () => {
    flushSync(() => setNaming(false))
    focusIfLost('[data-save-filters], [data-saved] [aria-current]')
  }
  const others = fields.filter(({ kind }) => kind !== 'search')
  const rare = others.filter(({ isRare }) => isRare)
  const [showsRare, setShowsRare] = useState(false)
  function showRare(form: HTMLFormElement | null) {
    setShowsRare(true)
    setTimeout(() => form?.querySelector<HTMLElement>(`[name='${rare[0]?.name}']`)?.focus())
  }
  return (
    <div className="mb-3">
      <form
        method="get"
        action={action}
        role="search"
        aria-label={t('admin.filters')}
        className="flex flex-wrap items-end gap-2"
        onSubmit={leaveOutEmpty}
      >
        {retained.map((name) => (values[name] ? <input key={name} type="hidden" name={name} value={values[name]} /> : null))}
        {always.map((field) => (
          <FilterControl key={field.name} field={field} value={values[field.name] ?? ''} />
        ))}
        <button
          type="button"
          aria-expanded={isOpen}
          className={buttonClass({ kind: 'secondary', size: 'small' }, 'sm:hidden')}
          onClick={() => setOpen(!isOpen)}
        >
          <FilterIcon size={17} />
          {t('admin.filters')}
          {used > 0 ? <span className="chip chip-tag tabular-nums">{formatNumber(used, lang)}</span> : null}
        </button>
        <div className={`grid w-full grid-cols-2 items-end gap-2 sm:contents ${isOpen ? '' : 'max-sm:hidden'}`}>
          {others.map((field) => (
            <div key={field.name} className={field.isRare && !showsRare && !values[field.name] ? 'sm:hidden' : 'contents'}>
              <FilterControl field={field} value={values[field.name] ?? ''} />
            </div>
          ))}
        </div>
        <div className={`flex flex-wrap gap-2 ${isOpen || always.length > 0 ? 'max-sm:contents' : 'max-sm:hidden'}`}>
          <Button type="submit" size="small" kind="secondary">
            {t('admin.filters.apply')}
          </Button>
          {rare.length > 0 && !showsRare ? (
            <button
              type="button"
              title={t('admin.filters.more')}
              className={buttonClass({ kind: 'quiet', size: 'small' }, 'max-sm:hidden')}
              onClick={(event) => showRare(event.currentTarget.form)}
            >
              <FilterIcon size={17} />
              <span className={isFiltered ? NARROW : ''}>{t('admin.filters.more')}</span>
            </button>
          ) : null}
          {isFiltered ? (
            <ButtonLink href={action} size="small" kind="quiet" title={t('admin.filters.reset')}>
              <CloseIcon size={15} />
              <span className={NARROW}>{t('admin.filters.reset')}</span>
            </ButtonLink>
          ) : null}
          {canSave ? (
            <button
              type="button"
              data-save-filters
              title={t('admin.filters.save')}
              className={buttonClass({ kind: 'quiet', size: 'small' })}
              onClick={() => setNaming(true)}
            >
              <StarIcon size={16} />
              <span className={NARROW}>{t('admin.filters.save')}</span>
            </button>
          ) : null}
        </div>
      </form>
      {saved ? <SavedFilters {...{ screen, action, naming }} saved={list} onChange={setList} onNamed={endNaming} /> : null}
    </div>
  )
}

function FilterControl({ field, value }: { field: FilterField; value: string }) {
  const { t } = useI18n()
  const { name, label, kind, options, hint } = field
  const submitForm = (event: { currentTarget: { form: HTMLFormElement | null } }) => event.currentTarget.form?.requestSubmit()
  if (kind === 'select') {
    return (
      <FilterLabel label={label}>
        {(id) => (
          <ActingSelect id={id} name={name} defaultValue={value} className="admin-input w-full sm:w-auto sm:min-w-30" onChange={submitForm}>
            <option value="">{t('admin.all')}</option>
            {options?.map(([key, text]) => (
              <option key={key} value={key}>
                {text}
              </option>
            ))}
            {value === '' || options?.some(([key]) => key === value) ? null : <option value={value}>{t('admin.filters.gone')}</option>}
          </ActingSelect>
        )}
      </FilterLabel>
    )
  }
  if (kind === 'search') {
    return (
      <FilterLabel label={label} wide>
        {(id) => (
          <span className="relative block">
            <SearchIcon size={17} className="pointer-events-none absolute start-2.5 top-1/2 -translate-y-1/2 text-stone" />
            <input
              type="search"
              id={id}
              name={name}
              defaultValue={value}
              placeholder={hint}
              maxLength={MAX_SEARCH_LENGTH}
              className="admin-input w-full ps-8.5"
            />
          </span>
        )}
      </FilterLabel>
    )
  }
  if (kind === 'date') {
    return (
      <FilterLabel label={label}>
        {(id) => <DayInput id={id} name={name} defaultValue={value} className="admin-input w-full sm:w-36" />}
      </FilterLabel>
    )
  }
  const type =
    kind === 'number'
      ? { inputMode: 'decimal' as const, className: 'admin-input w-full sm:w-28' }
      : { className: 'admin-input w-full sm:w-36' }
  return (
    <FilterLabel label={label}>
      {(id) => <input id={id} name={name} defaultValue={value} placeholder={hint} maxLength={MAX_SEARCH_LENGTH} {...type} />}
    </FilterLabel>
  )
}

function FilterLabel({ label, wide = false, children }: { label: string; wide?: boolean; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className={`min-w-0 text-xs text-stone ${wide ? 'w-full sm:w-56 2xl:w-64' : ''}`}>
      <label htmlFor={id} className="mb-0.5 block">
        {label}
      </label>
      {children(id)}
    </div>
  )
}

/** Leaves empty fields out of the URL, so that it stays short. */
function leaveOutEmpty(event: FormEvent<HTMLFormElement>): void {
  const empty = [...event.currentTarget.elements].filter(
    (field): field is HTMLInputElement | HTMLSelectElement =>
      (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) && !field.disabled && field.value.trim() === '',
  )
  for (const field of empty) field.disabled = true
  // Restores the form for Back and for a failed navigation.
  setTimeout(() => {
    for (const field of empty) field.disabled = false
  })
}

interface SavedFiltersProps {
  screen: string
  action: string
  saved: SavedFilter[]
  /** The name of a new saved filter is being entered. */
  naming: boolean
  onChange(saved: SavedFilter[]): void
  onNamed(): void
}

function SavedFilters({ screen, action, saved: list, naming, onChange, onNamed }: SavedFiltersProps) {
  const { t } = useI18n()
  const { path } = usePageContext()
  const now = path.split('?')[1] ?? ''
  if (list.length === 0 && !naming) return null

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const name = new FormData(event.currentTarget).get('name')
    const written = await adminPost<{ filter: SavedFilter }>('/api/admin/saved-filters', { screen, name, query: now })
    if (!written.ok) return showFailure(written, t)
    flushSync(() => onChange([...list.filter((one) => one.id !== written.body.filter.id), written.body.filter]))
    onNamed()
  }
  async function remove(filter: SavedFilter) {
    const written = await adminPost(`/api/admin/saved-filters/${filter.id}`, undefined, { method: 'DELETE' })
    if (!written.ok && written.status !== 404) return showFailure(written, t)
    flushSync(() => onChange(list.filter((one) => one.id !== filter.id)))
    const at = Math.min(list.indexOf(filter), list.length - 2)
    focusIfLost(at < 0 ? 'form[role=search] :is(input:not([type=hidden]), select)' : `[data-saved] > :nth-child(${at + 1}) a`)
  }
  return (
    <div data-saved role="group" aria-label={t('admin.filters.saved')} className="mt-2 flex flex-wrap items-center gap-1.5 text-sm">
      {list.map((filter) => (
        <span
          key={filter.id}
          className="inline-flex items-center rounded-pill border border-line bg-milk has-[[aria-current]]:border-leaf-600 has-[[aria-current]]:bg-leaf-100"
        >
          <a
            href={`${action}?${filter.query}`}
            aria-current={filter.query === now ? 'page' : undefined}
            className="inline-flex min-h-9 pointer-coarse:min-h-11 items-center ps-3 font-semibold"
          >
            {filter.name}
          </a>
          <button
            type="button"
            aria-label={t('admin.filters.remove', { name: filter.name })}
            className="grid size-9 pointer-coarse:size-11 place-items-center rounded-pill text-stone hover:text-terracotta"
            onClick={() => remove(filter)}
          >
            <CloseIcon size={13} />
          </button>
        </span>
      ))}
      {naming ? (
        <form
          className="inline-flex items-center gap-1.5"
          onSubmit={save}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onNamed()
          }}
        >
          <input
            name="name"
            required
            maxLength={MAX_FILTER_NAME_LENGTH}
            ref={(field) => field?.focus()}
            placeholder={t('admin.filters.name')}
            aria-label={t('admin.filters.name')}
            className="admin-input w-40"
          />
          <Button type="submit" size="small">
            {t('admin.save')}
          </Button>
        </form>
      ) : null}
    </div>
  )
}
