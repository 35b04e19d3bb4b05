import './price-filter.css'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { changedListing, type ListingQuery } from '#features/catalog/listing-query-rules.ts'
import { PRICE_SLIDER } from '#features/catalog/rules.ts'
import { askedBy, type Handle, movedHandle, type PriceRange, rangeOf, sliderEnds } from '#features/kurbani/price-range-rules.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits, latinDigits } from '#lib/format/numbers.ts'
import { HiddenValues } from '../listing/hidden-values.tsx'
import { useI18n } from '#page/page-context.tsx'

/** Debounce: the list is loaded when keys and touches rest. */
const REST_MS = 400

interface Props {
  prices: PriceRange
  query: ListingQuery
  onChange: (query: ListingQuery) => void
}

/** Filters cows by price: two sliders and two number fields; the fields alone work without script. */
export function PriceFilter({ prices, query, onChange }: Props) {
  const { t, lang } = useI18n()
  const ends = sliderEnds(prices, query)
  const { range, move, hold, send } = useHandles(query, ends, onChange)
  const money = (amount: number) => formatTaka(takaToPoisha(amount), lang)
  const share = (amount: number) => `${((amount - ends.from) / (ends.to - ends.from)) * 100}%`
  const slider = (handle: Handle) => ({
    type: 'range',
    min: ends.from,
    max: ends.to,
    step: PRICE_SLIDER.step,
    value: range[handle],
    'aria-label': t(`kurbani.price-${handle}`),
    'aria-valuetext': money(range[handle]),
    onChange: (event: { target: { value: string } }) => move(handle, Number(event.target.value), 'later'),
    onPointerDown: hold,
    onPointerUp: send,
    onPointerCancel: send,
  })
  return (
    <form
      method="get"
      aria-label={t('kurbani.price')}
      className="rounded-card border border-line bg-milk px-4 pt-3 pb-1"
      onSubmit={(event) => event.preventDefault()}
    >
      <div className="flex flex-wrap items-center gap-2">
        <p className="me-1 font-semibold">{t('kurbani.price')}</p>
        <PriceInput handle="from" name="minPrice" value={range.from} onSet={(amount) => move('from', amount, 'now')} />
        <span aria-hidden="true" className="text-stone">
          –
        </span>
        <PriceInput handle="to" name="maxPrice" value={range.to} onSet={(amount) => move('to', amount, 'now')} />
        <HiddenValues query={query} fields={['minPrice', 'maxPrice']} />
        <Button type="submit" kind="secondary" className="without-script w-full sm:w-auto">
          {t('kurbani.show')}
        </Button>
      </div>
      <div className="price-line mt-1" style={{ '--from': share(range.from), '--to': share(range.to) } as object}>
        <input {...slider('from')} />
        <input {...slider('to')} />
      </div>
    </form>
  )
}

/** The slider values; the query changes when they rest. */
function useHandles(query: ListingQuery, ends: PriceRange, onChange: Props['onChange']) {
  const { minPrice, maxPrice } = query
  // Null: as in the address.
  const [moved, setMoved] = useState<PriceRange | null>(null)
  /** The values until the query has changed. */
  const unsent = useRef<PriceRange | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isHeld = useRef(false)
  useEffect(() => {
    if (unsent.current === null) setMoved(null)
  }, [minPrice, maxPrice])
  useEffect(() => () => clearTimeout(timer.current), [])
  const range = moved ?? rangeOf(query, ends)
  const send = () => {
    clearTimeout(timer.current)
    isHeld.current = false
    if (unsent.current === null) return
    const next = askedBy(unsent.current, ends)
    unsent.current = null
    if (next.minPrice !== minPrice || next.maxPrice !== maxPrice) onChange(changedListing(query, next))
    else setMoved(null)
  }
  const latestSend = useRef(send)
  latestSend.current = send
  const move = (handle: Handle, value: number, when: 'now' | 'later') => {
    unsent.current = movedHandle(unsent.current ?? range, handle, value, ends)
    setMoved(unsent.current)
    clearTimeout(timer.current)
    if (when === 'now') send()
    else if (!isHeld.current) timer.current = setTimeout(() => latestSend.current(), REST_MS)
  }
  const hold = () => {
    isHeld.current = true
  }
  return { range, move, hold, send }
}

/** One limit as a number field. It applies on blur or Enter; Bengali digits are accepted. */
function PriceInput({ handle, name, value, onSet }: { handle: Handle; name: string; value: number; onSet: (amount: number) => void }) {
  const { t, lang } = useI18n()
  const [typed, setTyped] = useState<string | null>(null)
  const set = () => {
    if (typed === null) return
    setTyped(null)
    const digits = latinDigits(typed).replace(/[^\d.]/g, '')
    if (digits !== '') onSet(Number(digits))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') set()
  }
  return (
    <span className="relative min-w-0 grow basis-0">
      <span aria-hidden="true" className="pointer-events-none absolute inset-y-0 start-3 grid place-items-center text-stone">
        ৳
      </span>
      <input
        name={name}
        aria-label={t(`kurbani.price-${handle}-taka`)}
        inputMode="numeric"
        autoComplete="off"
        value={typed ?? localizeDigits(lang, String(value))}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={set}
        onKeyDown={onKeyDown}
        className="tabular-nums min-h-11 w-full rounded-card border border-stone/80 bg-white ps-7 pe-2"
      />
    </span>
  )
}
