import { useEffect, useRef, useState } from 'react'
import { showToast } from '#components/toast.tsx'
import { isOrderable } from '#features/catalog/rules.ts'
import type { ProductDetailJson } from '#features/catalog/types.ts'
import { call, type CallResult } from '#page/api-client.ts'
import { useI18n } from '#page/page-context.tsx'
import { readDraft } from '../ui/draft.ts'
import { useDraftId } from '../ui/use-form.ts'
import { blankLine, chosenLine, type LineValue, type SharedForm } from './order-values.ts'

const AGAIN_MS = 1000

/** A line of an earlier order that a new one begins with. */
export interface CopiedLine {
  /** Null for a line of a draft without a product: its text stays. */
  product_id: number | null
  name: string
  quantity: number | string
  /** The list price at which a price was typed, and that price; the latter counts while the former has not changed. */
  base_price?: number
  price_on_order?: string
  /** The price that the shop asked; where it is the other one, none was typed. */
  usual_price?: number | undefined
}

/**
 * Fills a new order with the products of an earlier one or of a draft, at the prices of today. Products that are not for sale are named, and
 * left out; those of a draft (`keepsMissing`) stay as text, and so do those that the shop did not answer about. Lines that were typed before a
 * reload come first. Returns whether the products are loading.
 */
export function useCopiedLines(id: string, form: SharedForm, lines: readonly CopiedLine[], keepsMissing = false): boolean {
  const { t } = useI18n()
  const { set } = form
  const draftId = useDraftId(id)
  const [isLoading, setLoading] = useState(lines.length > 0)
  const latest = useRef({ lines, keepsMissing, set, t })
  useEffect(() => void (latest.current = { lines, keepsMissing, set, t }))
  // Once for each form: a second run would meet the stored draft of what was typed since, and leave the products out.
  useEffect(() => {
    const { lines: copied } = latest.current
    if (copied.length === 0 || readDraft(draftId)?.values.products) return setLoading(false)
    let isGone = false
    void Promise.all(copied.map(loadLine)).then((loaded) => {
      if (isGone) return
      const { keepsMissing: keeps, set: put, t: text } = latest.current
      const found = loaded.flatMap((line, at) => shownLine(line, copied[at]!, keeps))
      if (found.length > 0) put('products', found)
      setLoading(false)
      const namesOf = (result: 'gone' | 'failed') => copied.filter((_line, at) => loaded[at] === result).map(({ name }) => name)
      const [gone, failed] = [namesOf('gone'), namesOf('failed')]
      if (gone.length > 0) showToast(text('admin-orders.goods-gone', { names: gone.join(', ') }), { kind: 'error' })
      if (failed.length > 0) showToast(text('admin-orders.product-failed', { name: failed.join(', ') }), { kind: 'error' })
    })
    return () => void (isGone = true)
  }, [draftId])
  return isLoading
}

/** A line with the typed name of a product, which is still to be chosen. */
const textLine = ({ name, quantity }: CopiedLine): LineValue => ({ ...blankLine(), product_name: name, quantity: String(quantity) })

/** `gone`: the product is not for sale. `failed`: the shop gave no answer. `unchosen`: the line has no product yet. */
type LoadedLine = LineValue | 'gone' | 'failed' | 'unchosen'

/** What the form shows of a line; nothing where the product is gone and no draft keeps its name. */
function shownLine(loaded: LoadedLine, copied: CopiedLine, keepsMissing: boolean): LineValue[] {
  if (typeof loaded === 'object') return [loaded]
  return loaded === 'gone' && !keepsMissing ? [] : [textLine(copied)]
}

/** Asks once more after a failure: leaving the page ends its calls, and a line without its product would be stored as typed. */
async function loadProduct(id: number): Promise<CallResult<ProductDetailJson>> {
  const ask = () => call<ProductDetailJson>(`/api/products/${id}`)
  const answer = await ask()
  if (answer.ok || answer.status === 404) return answer
  await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  return ask()
}

async function loadLine({ product_id, name, quantity, base_price, price_on_order, usual_price }: CopiedLine): Promise<LoadedLine> {
  if (product_id === null) return 'unchosen'
  const answer = await loadProduct(product_id)
  if (!answer.ok && answer.status !== 404) return 'failed'
  if (!answer.ok || !isOrderable(answer.body.status)) return 'gone'
  const line = chosenLine(blankLine(), answer.body, name)
  const isTyped = price_on_order !== undefined && price_on_order !== String(usual_price)
  const price = isTyped && base_price === line.base_price ? { price_on_order } : {}
  return { ...line, ...price, ...(line.is_unique ? {} : { quantity: String(quantity) }) }
}
