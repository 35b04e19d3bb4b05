import { SelectField, TextField } from '#components/field.tsx'
import type { AreaJson } from '#features/catalog/types.ts'
import { TEXT_LIMIT } from '#lib/format/text.ts'
import { formatWeekday } from '#lib/format/weekdays.ts'
import { useI18n } from '#page/page-context.tsx'
import type { Sale, SaleState } from './sale.ts'

export interface HandoverProps {
  sale: Pick<Sale, 'deliver' | 'areaId' | 'address' | 'collect' | 'day'>
  areas: AreaJson[]
  isCollectionOffered: boolean
  /** The possible days of delivery or collection, separated by spaces. */
  days: string
  rejection: SaleState['rejection']
  onChange: (changes: Partial<Sale>) => void
}

/** Delivery, collection at the farm, or neither: the products are handed over. */
export function HandoverBoxes({ sale, isCollectionOffered, onChange }: Pick<HandoverProps, 'sale' | 'isCollectionOffered' | 'onChange'>) {
  const { t } = useI18n()
  return (
    <>
      <LaterBox
        label={t('pos.deliver')}
        isChecked={sale.deliver}
        onChange={(deliver) => onChange({ deliver, day: '', ...(deliver ? { collect: false, walkIn: false } : {}) })}
      />
      {isCollectionOffered ? (
        <LaterBox
          label={t('pos.collect')}
          isChecked={sale.collect === true}
          onChange={(collect) => onChange({ collect, day: '', ...(collect ? { deliver: false, walkIn: false } : {}) })}
        />
      ) : null}
    </>
  )
}

/** The place of a delivery, and the day of a delivery or collection. */
export function HandoverPlace({ sale, areas, days, rejection, onChange }: Omit<HandoverProps, 'isCollectionOffered'>) {
  const { t } = useI18n()
  return (
    <>
      {sale.deliver ? (
        <div className="grid gap-3 lg:grid-cols-2 lg:gap-2">
          <SelectField
            id="pos-area"
            label={<DeskLabel text={t('pos.area')} />}
            value={sale.areaId}
            error={rejection ? t(`refusal.${rejection}`) : undefined}
            onChange={({ target }) => onChange({ areaId: target.value })}
          >
            <option value="">{t('pos.choose-area')}</option>
            {areas.map((area) => (
              <option key={area.id} value={area.id}>
                {area.area_name}
              </option>
            ))}
          </SelectField>
          <TextField
            id="pos-address"
            label={<DeskLabel text={t('pos.address')} />}
            placeholder={t('pos.address')}
            autoComplete="off"
            maxLength={TEXT_LIMIT}
            value={sale.address}
            onChange={({ target }) => onChange({ address: target.value })}
          />
        </div>
      ) : null}
      {sale.deliver || sale.collect ? <HandoverDay sale={sale} days={days === '' ? [] : days.split(' ')} onChange={onChange} /> : null}
    </>
  )
}

/** A label without room in the pane of a desk, where the content of its field says the same. */
function DeskLabel({ text }: { text: string }) {
  return <span className="lg:sr-only">{text}</span>
}

interface LaterBoxProps {
  label: string
  isChecked: boolean
  onChange: (isChecked: boolean) => void
}

/** The products leave the shop after the sale. */
function LaterBox({ label, isChecked, onChange }: LaterBoxProps) {
  return (
    <label className="flex min-h-11 items-center gap-2 lg:pointer-fine:min-h-8">
      <input type="checkbox" className="size-5 accent-leaf-600" checked={isChecked} onChange={({ target }) => onChange(target.checked)} />
      {label}
    </label>
  )
}

/** The day of delivery or collection. The first option is the earliest possible one; a chosen day that is no longer possible stays in sight. */
function HandoverDay({ sale: { collect, day = '' }, days, onChange }: Pick<HandoverProps, 'sale' | 'onChange'> & { days: string[] }) {
  const { t, lang } = useI18n()
  const [earliest] = days
  const isGone = day !== '' && !days.includes(day)
  const error = earliest === undefined ? t('refusal.no-delivery-day') : isGone ? t('pos.day-impossible') : undefined
  return (
    <SelectField
      id="pos-day"
      label={<DeskLabel text={t(collect ? 'pos.collect-day' : 'pos.deliver-day')} />}
      value={day}
      error={error}
      onChange={({ target }) => onChange({ day: target.value })}
    >
      <option value="">{earliest === undefined ? '' : t('pos.earliest', { day: formatWeekday(earliest, lang) })}</option>
      {(isGone ? [day, ...days] : days).map((on) => (
        <option key={on} value={on}>
          {formatWeekday(on, lang)}
        </option>
      ))}
    </SelectField>
  )
}
