import { type FormEvent, useRef, useState } from 'react'
import { Button } from '#components/button.tsx'
import { SelectField, TextField } from '#components/field.tsx'
import { showToast } from '#components/toast.tsx'
import type { UploadedImage } from '#features/catalog/media/images.server.ts'
import type { HealthRecord } from '#features/catalog/products/health-records.server.ts'
import type { ProductDetails } from '#features/catalog/products/product-editor-queries.server.ts'
import { formatDay } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'
import { healthBody } from '#features/catalog/products/forms.ts'
import { HEALTH_KINDS } from '#features/catalog/types.ts'
import { maxLengthAt } from '#site/admin/ui/form-schema.ts'
import { adminPost, showFailure } from '../ui/admin-post.ts'
import { useConfirm } from '../ui/confirm.tsx'
import { DayField } from '../ui/day-input.tsx'
import { FormSection } from '../ui/form.tsx'
import { PictureDrop } from '../ui/picture-drop.tsx'
import { finishUploads } from '../ui/running-uploads.ts'
import { CloseIcon } from '../ui/icons.tsx'

interface HealthCardProps {
  product: ProductDetails
  records: HealthRecord[]
  today: string
  mayWrite: boolean
}

/** The health records of an animal, as on its public card. */
export function HealthCard({ product, records: initial, today, mayWrite }: HealthCardProps) {
  const { t, lang } = useI18n()
  const [records, setRecords] = useState(initial)
  const { ask, dialog } = useConfirm()
  const say = (one: HealthRecord) => (lang === 'bn' ? one.what_bn || one.what_en : one.what_en || one.what_bn)
  async function remove(one: HealthRecord) {
    if (!(await ask({ title: t('products.health-delete', { what: say(one) }), action: t('admin.delete') }))) return
    const written = await adminPost<{ records: HealthRecord[] }>(`/admin/products/${product.id}/health/${one.id}`, undefined, {
      method: 'DELETE',
    })
    if (written.ok) setRecords(written.body.records)
    else showFailure(written, t)
  }
  return (
    <FormSection title={t('products.health')} hint={t('products.health-hint')}>
      {records.length === 0 ? <p className="text-stone">{t('products.health-none')}</p> : null}
      <ul className="divide-y divide-line">
        {records.map((one) => (
          <li key={one.id} className="flex items-start gap-3 py-1.5">
            {one.picture ? (
              <img
                src={`/uploads/${one.picture.token}-${one.picture.widths[0]}.webp`}
                alt={t('products.health-picture')}
                width={48}
                height={48}
                className="size-12 rounded-tag object-cover"
              />
            ) : null}
            <span className="min-w-0 grow">
              <b className="block break-words">{say(one)}</b>
              <span className="tabular-nums text-sm text-stone">
                {t(`products.health.${one.kind}`)} · {formatDay(one.on_day, lang)}
                {one.vet ? ` · ${one.vet}` : ''}
              </span>
            </span>
            {mayWrite ? (
              <button
                type="button"
                aria-label={`${t('admin.delete')}: ${say(one)}`}
                className="grid size-11 shrink-0 place-items-center rounded-card hover:bg-leaf-100"
                onClick={() => void remove(one)}
              >
                <CloseIcon size={18} />
              </button>
            ) : null}
          </li>
        ))}
      </ul>
      {mayWrite ? <HealthForm product={product} today={today} onAdded={setRecords} /> : null}
      {dialog}
    </FormSection>
  )
}

function HealthForm({ product, today, onAdded }: { product: ProductDetails; today: string; onAdded(records: HealthRecord[]): void }) {
  const { t } = useI18n()
  const blank = { on_day: today, kind: 'vaccination', what_en: '', what_bn: '', vet: '' }
  const [values, setValues] = useState(blank)
  const [pictures, setPictures] = useState<UploadedImage[]>([])
  /** The pictures also of an upload that ends while the form is being sent. */
  const latest = useRef(pictures)
  const show = (next: UploadedImage[]) => {
    latest.current = next
    setPictures(next)
  }
  const [errors, setErrors] = useState<Record<string, string[]>>({})
  const [busy, setBusy] = useState(false)
  /** The next entry is another, even with the same words. */
  const [added, setAdded] = useState(0)
  async function add(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    if (!(await finishUploads())) {
      setBusy(false)
      return showToast(t('upload.unsaved'), { kind: 'error' })
    }
    const body = { ...values, image_id: latest.current[0]?.image_id ?? null }
    const written = await adminPost<{ records: HealthRecord[] }>(`/admin/products/${product.id}/health`, body, {
      once: `health-${product.id}-${added}`,
    })
    setBusy(false)
    if (!written.ok) {
      setErrors(written.errors)
      return showFailure(written, t)
    }
    setErrors({})
    setAdded(added + 1)
    setValues(blank)
    show([])
    onAdded(written.body.records)
    showToast(t('admin.saved'))
  }
  const field = (name: keyof typeof blank) => ({
    maxLength: maxLengthAt(healthBody, name),
    value: values[name],
    error: errors[name]?.[0],
    onChange: (event: { target: { value: string } }) => setValues({ ...values, [name]: event.target.value }),
  })
  return (
    <details className="rounded-card border border-line px-3">
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold text-leaf-800">{t('products.health-add')}</summary>
      <form onSubmit={(event) => void add(event)} noValidate className="grid gap-3 pb-3">
        <DayField label={t('products.health-day')} max={today} {...field('on_day')} />
        <SelectField label={t('products.health-kind')} {...field('kind')}>
          {HEALTH_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(`products.health.${kind}`)}
            </option>
          ))}
        </SelectField>
        <TextField label={t('products.health-en')} autoComplete="off" {...field('what_en')} />
        <TextField label={t('products.health-bn')} lang="bn" autoComplete="off" {...field('what_bn')} />
        <TextField label={t('products.health-vet')} optionalLabel={t('admin.optional')} autoComplete="off" {...field('vet')} />
        <PictureDrop label={t('products.health-picture')} value={pictures} onChange={show} aspect={null} error={errors.image_id?.[0]} />
        <Button type="submit" kind="secondary" busy={busy}>
          {t('products.health-add')}
        </Button>
      </form>
    </details>
  )
}
