import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { SearchIcon } from '#components/icons.tsx'
import { showToast } from '#components/toast.tsx'
import type { ScaleLabelRule } from '#features/settings/settings.ts'
import type { SearchResultJson } from '#features/catalog/types.ts'
import { MIN_SCANNED, SCAN_LOCK, TOAST_TIME, type PosLine } from '#features/pos/rules.ts'
import { labelledQuantity, labelPrice, readScaleLabel, type ScaleLabel } from '#features/pos/scale-label.ts'
import { formatTaka, takaToPoisha } from '#lib/format/money.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { CameraIcon } from '../admin/ui/icons.tsx'
import { beep } from './beep.ts'
import { CameraDialog, type ScanFeedback } from './camera-dialog.tsx'
import { useScanLock } from './use-scan-lock.ts'
import { useScanSearch } from './use-scan-search.ts'
import { canBeSold, fetchLine, scanned, scannedOnDevice, searchDevice, searchProducts } from './find-product.ts'

interface ScanBoxProps {
  box: RefObject<HTMLInputElement | null>
  /** So many thousandths; one when it is not said. */
  onAdd: (product: Omit<PosLine, 'quantity'>, milli?: number) => void
  scales: readonly ScaleLabelRule[]
  /** Rejects every scan with this text, while it is set. */
  rejection: string | null
  /** Takes scans that ran into other fields. */
  scanRef: RefObject<(text: string) => void>
}

/** One box for typing and scanning: what is typed brings a list, a scan ends with Enter and is added at once. */
export function ScanBox({ box, onAdd, scales, rejection, scanRef }: ScanBoxProps) {
  const { t, lang } = useI18n()
  const [text, setText] = useState('')
  const [flash, setFlash] = useState<'taken' | 'refused' | null>(null)
  const [active, setActive] = useState(-1)
  const [counted, setCounted] = useState('')
  const { found, isSearching, stop, show } = useScanSearch(text, lang)
  const lock = useScanLock(box)
  const [isCameraOn, setCamera] = useState(false)
  const [told, setTold] = useState<ScanFeedback | null>(null)
  // Searches that are still running must read the value of their end.
  const latestRejection = useRef(rejection)
  useLayoutEffect(() => void (latestRejection.current = rejection))

  function say(kind: 'taken' | 'refused', message: string) {
    beep(kind)
    setTold({ kind, text: message })
    setFlash(kind)
    setTimeout(() => setFlash(null), SCAN_LOCK)
    if (kind === 'refused') showToast(message, { kind: 'error', milliseconds: TOAST_TIME })
  }
  function clear() {
    setText('')
    setActive(-1)
    stop()
    box.current?.focus()
  }
  function take(line: Omit<PosLine, 'quantity'>, message: string, milli?: number) {
    if (latestRejection.current) return say('refused', latestRejection.current)
    onAdd(line, milli)
    say('taken', message)
  }
  async function add(product: SearchResultJson) {
    const line = await fetchLine(product, lang)
    if (!line) return say('refused', t('pos.error', { message: product.name }))
    take(line, t('pos.camera-added', { name: product.name }))
  }
  /** A packet from the scale: so much of the goods whose number stands on its label. */
  async function addLabelled(label: ScaleLabel) {
    const known = scannedOnDevice(label.item, lang)
    const found = known ? [known] : await searchProducts(label.item)
    const product = found && scanned(found, label.item)
    if (!product)
      return say('refused', found ? t('pos.scale-unknown', { item: label.item }) : t('pos.error', { message: t('pos.offline-search') }))
    if (!canBeSold(product)) return say('refused', t('pos.out-of-stock-named', { name: product.name }))
    const line = await fetchLine(product, lang)
    if (!line) return say('refused', t('pos.error', { message: product.name }))
    const quantity = labelledQuantity(label, line)
    if (!quantity.ok) return say('refused', t(`pos.scale-${quantity.reason}`, { name: product.name }))
    const says = label.holds === 'weight' ? t('pos.kg', { weight: String(label.value / 1000) }) : formatTaka(labelPrice(label), lang)
    const kg = localizeDigits(lang, String(quantity.milli / 1000))
    const text = t('pos.scale-counted', { name: product.name, label: localizeDigits(lang, says), kg })
    if (!latestRejection.current) setCounted(text)
    take(line, text, quantity.milli)
  }
  function choose(product: SearchResultJson) {
    clear()
    if (canBeSold(product)) return void add(product)
    say('refused', t('pos.out-of-stock'))
  }
  async function scan(raw: string) {
    const code = raw.trim()
    if (lock.isLocked()) return lock.refuse()
    if (code.length < MIN_SCANNED) return say('refused', t('pos.too-short'))
    lock.begin()
    setCounted('')
    clear()
    const known = scannedOnDevice(code, lang)
    if (known && canBeSold(known)) return add(known)
    const label = readScaleLabel(code, scales)
    if (label && !known && scannedOnDevice(label.item, lang)) return addLabelled(label)
    // Perhaps it came in only now; without an answer the device's word counts.
    const live = await searchProducts(code)
    const answer = live ?? searchDevice(code, lang)
    if (!live && answer.length === 0) return say('refused', t('pos.error', { message: t('pos.offline-search') }))
    const product = scanned(answer, code)
    if (product) return canBeSold(product) ? add(product) : say('refused', t('pos.out-of-stock-named', { name: product.name }))
    if (label) return addLabelled(label)
    // The results of this search must not replace what was typed since.
    if (answer.length === 0 || /^\d+$/.test(code) || box.current?.value) return say('refused', t('pos.barcode-not-found'))
    setText(code)
    show(code, answer)
  }
  useLayoutEffect(() => void (scanRef.current = (code) => void scan(code)))

  function press(event: KeyboardEvent) {
    const last = (found?.length ?? 0) - 1
    if (lock.swallows(event)) event.stopPropagation()
    else if (event.key === 'ArrowDown') setActive(Math.min(active + 1, last))
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, -1))
    else if (event.key === 'Escape') clear()
    else if (event.key === 'Enter') {
      const chosen = found?.[active]
      if (chosen) choose(chosen)
      else void scan(event.currentTarget instanceof HTMLInputElement ? event.currentTarget.value : text)
    } else return
    event.preventDefault()
  }

  const ring = flash === 'taken' ? 'ring-4 ring-leaf-600' : flash === 'refused' ? 'ring-4 ring-terracotta' : ''
  return (
    // In sight however long the sale is: the newest line scrolls in beneath it.
    <div className="sticky top-[3.3rem] z-10 -mx-1 bg-paper px-1 lg:top-0 lg:pt-1">
      <label htmlFor="till-search" className="mb-1 flex items-center justify-between gap-2 font-semibold">
        {t('pos.search')}
        <kbd className="kbd max-lg:hidden">F2</kbd>
      </label>
      <div className={`relative rounded-card transition-shadow ${ring}`} data-flash={flash ?? undefined}>
        <SearchIcon size={22} className="pointer-events-none absolute start-3 top-1/2 -translate-y-1/2 text-stone" />
        <input
          ref={box}
          id="till-search"
          type="search"
          role="combobox"
          aria-expanded={found !== null}
          aria-controls="till-found"
          aria-activedescendant={active >= 0 ? `till-found-${active}` : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          readOnly={lock.locked}
          placeholder={t('pos.search-hint')}
          className="min-h-14 w-full rounded-card border-2 border-leaf-600 bg-white ps-11 pe-14 text-lg read-only:bg-sand lg:pe-4"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setActive(-1)
          }}
          onKeyDown={press}
        />
        <button
          type="button"
          aria-label={t('pos.camera')}
          title={t('pos.camera')}
          className="absolute end-1.5 top-1/2 grid size-11 -translate-y-1/2 place-items-center rounded-card text-leaf-800 hover:bg-leaf-100 lg:hidden"
          onClick={() => {
            setTold(null)
            setCamera(true)
          }}
        >
          <CameraIcon size={24} />
        </button>
      </div>
      {isCameraOn ? <CameraDialog told={told} onCode={(code) => void scan(code)} onClose={() => setCamera(false)} /> : null}
      <p role="status" className="mt-1 min-h-6 text-sm text-stone">
        {lock.refused > 0
          ? t('pos.too-quick', { count: localizeDigits(lang, String(lock.refused)) })
          : counted
            ? counted
            : lock.locked
              ? t('pos.locked')
              : isSearching
                ? t('pos.searching')
                : ''}
      </p>
      <div
        id="till-found"
        role="listbox"
        aria-label={t('pos.results')}
        hidden={found === null}
        className="absolute inset-x-1 top-[5.5rem] z-10 max-h-[60vh] overflow-y-auto rounded-card border border-line bg-milk shadow-soft"
      >
        {found?.length === 0 ? <p className="p-4 text-stone">{t('pos.nothing-found')}</p> : null}
        {found?.map((product, at) => (
          <div
            key={product.id}
            id={`till-found-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === active}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(product)}
            onKeyDown={press}
            className={`flex min-h-14 cursor-pointer items-center gap-3 px-3 py-1.5 hover:bg-leaf-100 ${at === active ? 'bg-leaf-100' : ''}`}
          >
            <img
              src={product.images[0]?.url ?? '/uploads/logo.png'}
              alt=""
              width={44}
              height={44}
              className="size-11 rounded-tag object-cover"
            />
            <span className="min-w-0 grow">
              <span className="block truncate">{product.name}</span>
              <span className="flex flex-wrap items-center gap-x-2 text-sm text-stone">
                {product.tag_number ?? product.barcode ?? `#${product.id}`}
                <span className={product.status === 'in-stock' ? 'text-leaf-700' : 'chip chip-stone'}>
                  {t(`catalog.status.${product.status}`)}
                </span>
              </span>
            </span>
            <span className="figures font-semibold">{formatTaka(takaToPoisha(product.price), lang)}</span>
          </div>
        ))}
      </div>
    </div>
  )
}
