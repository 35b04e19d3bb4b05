import type { LabelledProduct } from '#features/catalog/labels/labelled-products.server.ts'
import type { LabelSize } from '#features/catalog/labels/label-rules.ts'
import type { BarcodeDrawing } from '#lib/codes/barcode.server.ts'
import { formatTaka } from '#lib/format/money.ts'
import { formatKg } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'

/** Inside a label nothing comes nearer to its edge, in millimetres. */
const EDGE = 2
/** Minimum bar width: three printer dots on a roll, the nominal EAN size on a sheet, more for reading from a distance. */
const MODULE: Record<LabelSize['key'], number> = { roll: 0.375, 'a4-24': 0.33, 'a4-14': 0.33, card: 0.6 }
/** Higher bars are no easier to read. */
const MAX = 16

const mm = (value: number) => `${value}mm`

interface LabelSheetProps {
  size: LabelSize
  places: (LabelledProduct | null)[]
}

/** A page of labels in the size of its sheet. */
export function LabelSheet({ size, places }: LabelSheetProps) {
  const { page, label, columns, margin, gap } = size
  return (
    <div className="overflow-x-auto print:overflow-visible">
      <div
        data-sheet={page[0] > 120 ? 'a4' : 'small'}
        className="mx-auto my-4 shadow-soft print:m-0 print:shadow-none"
        style={{ width: mm(page[0]), height: mm(page[1]) }}
      >
        {places.map((goods, at) => {
          const [column, row] = [at % columns, Math.floor(at / columns)]
          const style = {
            position: 'absolute',
            left: mm(margin[0] + column * (label[0] + gap)),
            top: mm(margin[1] + row * label[1]),
            width: mm(label[0]),
            height: mm(label[1]),
            padding: mm(EDGE),
          } as const
          return goods ? (
            <article key={at} data-label className="flex flex-col items-center justify-center overflow-hidden text-center" style={style}>
              {size.key === 'card' ? <Card goods={goods} /> : <Label goods={goods} />}
              {goods.barcode ? <Bars drawing={goods.barcode} room={label[0] - 2 * EDGE} size={size.key} /> : null}
            </article>
          ) : null
        })}
      </div>
    </div>
  )
}

function Label({ goods }: { goods: LabelledProduct }) {
  return (
    <>
      <span lang="bn" className="w-full shrink-0 truncate text-[9pt] leading-[1.4] font-semibold">
        {goods.name_bn}
      </span>
      <span lang="en" className="w-full shrink-0 truncate text-[7.5pt] leading-[1.25]">
        {goods.name_en}
      </span>
      <Price goods={goods} className="text-[10pt] leading-[1.3]" />
    </>
  )
}

/** A card to hang on an animal's rope: its tag to be read from afar. */
function Card({ goods }: { goods: LabelledProduct }) {
  return (
    <>
      {goods.tag_number ? (
        <span className="mt-[1mm] rounded-tag border-2 border-black px-[4mm] text-[26pt] leading-[1.2] font-semibold">
          {goods.tag_number}
        </span>
      ) : null}
      <span lang="bn" className="mt-[1mm] w-full shrink-0 truncate text-[13pt] leading-[1.45] font-semibold">
        {goods.name_bn}
      </span>
      <span lang="en" className="w-full shrink-0 truncate text-[11pt] leading-[1.3]">
        {goods.name_en}
      </span>
      <Price goods={goods} isTagged className="text-[15pt] leading-[1.4]" />
    </>
  )
}

/** The price; for animals also the weight, and the tag unless it is printed above. */
function Price({ goods, isTagged = false, className }: { goods: LabelledProduct; isTagged?: boolean; className: string }) {
  const { t, lang } = useI18n()
  const { weight_grams: grams } = goods
  const beside = goods.is_animal
    ? [isTagged ? null : goods.tag_number, grams === null ? null : formatKg(grams, lang)]
        .filter(Boolean)
        .map((part) => `· ${part}`)
        .join(' ')
    : `/ ${t(`catalog.unit.${goods.unit}`)}`
  return (
    <span className={`tabular-nums w-full shrink-0 truncate ${className}`}>
      <b className="font-semibold">{formatTaka(goods.price, lang)}</b> {beside}
    </span>
  )
}

/** The bars over their number; as wide as they must be, where there is room. */
function Bars({ drawing: { width, path, text }, room, size }: { drawing: BarcodeDrawing; room: number; size: LabelSize['key'] }) {
  const wide = Math.min(room, width * MODULE[size])
  return (
    <>
      <svg
        viewBox={`0 0 ${width} 1`}
        preserveAspectRatio="none"
        role="img"
        aria-label={text}
        shapeRendering="crispEdges"
        className="mt-[0.8mm] min-h-[6mm] grow"
        style={{ width: mm(wide), height: 0, maxHeight: mm(MAX) }}
      >
        <path d={path} />
      </svg>
      <span className={`tabular-nums shrink-0 leading-[1.25] ${size === 'card' ? 'text-[11pt]' : 'text-[8pt]'}`}>{text}</span>
    </>
  )
}
