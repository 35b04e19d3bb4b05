import { useState } from 'react'
import { TextField } from '#components/field.tsx'
import { TEXT_LIMIT } from '#lib/format/text.ts'
import { useI18n } from '#page/page-context.tsx'
import { RequestDialog } from '../request-dialog.tsx'

const FIELDS = ['name', 'phone', 'place'] as const

/** Leaves name, phone and place for staff, for shoppers whose area is not listed. */
export function AreaRequestDialog({ name, phone, onClose }: { name: string; phone: string; onClose: () => void }) {
  const { t } = useI18n()
  const [typed, setTyped] = useState({ name, phone, place: '' })
  const texts = {
    title: t('area-request.title'),
    intro: t('area-request.text'),
    send: t('area-request.send'),
    done: t('area-request.sent'),
    failed: t('place.no-response'),
  }
  return (
    <RequestDialog path="/api/area-requests" body={typed} fields={FIELDS} texts={texts} onClose={onClose}>
      {(error) => {
        const field = (key: (typeof FIELDS)[number]) => ({
          id: `request-${key}`,
          name: key,
          value: typed[key],
          error: error(key),
          maxLength: TEXT_LIMIT,
          required: true,
          onChange: (event: { target: { value: string } }) => setTyped((before) => ({ ...before, [key]: event.target.value })),
        })
        return (
          <>
            <TextField {...field('name')} label={t('details.name')} autoComplete="name" />
            <TextField {...field('phone')} label={t('details.phone')} type="tel" inputMode="tel" autoComplete="tel" />
            <TextField {...field('place')} label={t('area-request.place')} hint={t('area-request.place-hint')} autoComplete="off" />
          </>
        )
      }}
    </RequestDialog>
  )
}
