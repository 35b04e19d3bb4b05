import { useState } from 'react'
import { ButtonLink } from '#components/button.tsx'
import type { UploadedImage } from '#features/catalog/media/images.server.ts'
import { WEIGHING_METHODS } from '#features/catalog/types.ts'
import type { FinalWeighing, WeighingOutcome } from '#features/cattle/settlement/final-weighings.server.ts'
import type { AnimalWeighIn, ScaleAnimal } from '#features/cattle/queries.server.ts'
import { weighInForm } from '#features/cattle/forms.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { adminPost } from '../ui/admin-post.ts'
import { FormNumber, FormRow, FormSection, FormSelect, FormText, AdminForm } from '../ui/form.tsx'
import { PictureDrop } from '../ui/picture-drop.tsx'
import { useAdminForm } from '../ui/use-form.ts'
import { usePermissions } from '../ui/use-permissions.ts'
import { AnimalLine } from './animal-line.tsx'
import { Settle } from './settle.tsx'
import { InfoIcon, ScaleIcon } from '../ui/icons.tsx'

interface Saved {
  weigh_in_id: number
  order_id: number | null
  outcome: WeighingOutcome | null
  /** Null for staff who do not read orders. */
  weighing: FinalWeighing | null
  /** The animal with its weight now. */
  animal: ScaleAnimal
  history: AnimalWeighIn[]
}

interface WeighInValues {
  weight_kg: string
  weighed_on: string
  method: string
  weighed_by: string
  photo: UploadedImage[]
}

/** What the question is about: another day has other weigh-ins beside it. */
const asked = ({ weight_kg, weighed_on }: Pick<WeighInValues, 'weight_kg' | 'weighed_on'>) => `${weight_kg} ${weighed_on}`

interface ScaleFormProps {
  animal: ScaleAnimal
  today: string
  weigher: string
  onHistory: (history: AnimalWeighIn[]) => void
}

/** The form of a weigh-in; after saving, the settlement of its order. */
export function ScaleForm({ animal, today, weigher, onHistory }: ScaleFormProps) {
  const { t, lang } = useI18n()
  const [saved, setSaved] = useState<(Saved & { on: string }) | null>(null)
  /** The unusual weight, with its day, that the server asked to confirm: submitting it again confirms it. */
  const [unusual, setUnusual] = useState<string | null>(null)
  const bodyOf = ({ photo, ...values }: WeighInValues) => ({
    ...values,
    image_id: photo[0]?.image_id ?? null,
    confirmed: asked(values) === unusual,
  })
  const form = useAdminForm<WeighInValues, Saved>({
    id: `weigh-in-${animal.id}`,
    initial: { weight_kg: '', weighed_on: today, method: 'scale', weighed_by: weigher, photo: [] },
    schema: weighInForm,
    bodyOf,
    async save(values) {
      const once = `weigh-in-${animal.id}`
      const written = await adminPost<Saved>(`/admin/animals/${animal.id}/weigh-ins`, bodyOf(values), { once })
      // An unusual weight: the question stands at the field, the server's message beside it.
      if (!written.ok && written.status === 409) setUnusual(asked(values))
      return written
    },
    onSaved(answer, values) {
      setSaved({ ...answer, on: values.weighed_on })
      onHistory(answer.history)
    },
  })
  if (saved) {
    return (
      <section className="grid gap-4">
        <div className="admin-card p-4">
          <AnimalLine animal={saved.animal} />
        </div>
        {saved.animal.weighed_on !== null && saved.on < saved.animal.weighed_on ? (
          <Note>{t('weigh.older', { day: formatDay(saved.on, lang), now: formatDay(saved.animal.weighed_on, lang) })}</Note>
        ) : null}
        {saved.outcome ? <Outcome outcome={saved.outcome} weighing={saved.weighing} on={saved.on} /> : null}
        <ButtonLink href="/admin/weigh-ins" size="large">
          <ScaleIcon size={20} />
          {t('weigh.next')}
        </ButtonLink>
      </section>
    )
  }
  const { order_id } = animal
  return (
    <AdminForm form={form} saveLabel={asked(form.values) === unusual ? t('weigh.anyway') : t('weigh.save')} cancelHref="/admin/weigh-ins">
      <FormSection
        title={<AnimalLine animal={animal} />}
        hint={order_id === null ? undefined : t('weigh.booked', { order: localizeDigits(lang, String(order_id)) })}
      >
        <FormNumber name="weight_kg" label={t('weigh.kg')} />
        <FormRow>
          <FormText name="weighed_on" label={t('weigh.day')} type="date" max={today} />
          <FormSelect
            name="method"
            label={t('weigh.method')}
            options={WEIGHING_METHODS.map((method) => [method, t(`product.method.${method}`)])}
          />
        </FormRow>
        <FormText name="weighed_by" label={t('weigh.by')} />
        <PictureDrop
          label={t('weigh.photo')}
          hint={t('weigh.photo-hint')}
          value={form.values.photo}
          onChange={(photo) => form.set('photo', photo)}
          error={form.errorOf('image_id')}
          aspect={null}
        />
      </FormSection>
    </AdminForm>
  )
}

interface OutcomeProps {
  outcome: WeighingOutcome
  weighing: FinalWeighing | null
  /** The day of the weigh-in. */
  on: string
}

/** The meaning of a saved weigh-in for the order that holds the animal. */
function Outcome({ outcome: { order_id, state, counts_from }, weighing, on }: OutcomeProps) {
  const { t, lang } = useI18n()
  const { can } = usePermissions()
  const order = localizeDigits(lang, String(order_id))
  if (weighing && state === 'to-settle' && can('orders.write')) return <Settle weighing={weighing} />
  const isEarly = counts_from !== null && on < counts_from
  const text =
    state === 'to-settle'
      ? t('settle.for-sales', { order })
      : isEarly
        ? t('settle.early', { order, day: formatDay(counts_from, lang) })
        : null
  return text ? <Note>{text}</Note> : null
}

function Note({ children }: { children: string }) {
  return (
    <p role="status" className="stitch flex items-center gap-3 rounded-card bg-tag-100 px-4 py-3">
      <InfoIcon className="shrink-0" />
      {children}
    </p>
  )
}
