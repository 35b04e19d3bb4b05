import '#messages/wait.ts'
import { useState } from 'react'
import { TextField } from '#components/field.tsx'
import { MAX_TYPED_PHONE_LENGTH } from '#lib/format/input-limits.ts'
import { useI18n } from '#page/page-context.tsx'
import { RequestDialog } from '../request-dialog.tsx'

const FIELDS = ['phone'] as const

/** Asks for the phone that gets the SMS. */
export function WaitDialog({ productId, onClose }: { productId: number; onClose: () => void }) {
  const { t } = useI18n()
  const [phone, setPhone] = useState('')
  const texts = {
    title: t('wait.title'),
    intro: t('wait.text'),
    send: t('wait.send'),
    done: t('wait.sent'),
    failed: t('wait.no-response'),
  }
  return (
    <RequestDialog path="/api/product-waits" body={{ product_id: productId, phone }} fields={FIELDS} texts={texts} onClose={onClose}>
      {(error) => (
        <TextField
          id="request-phone"
          name="phone"
          label={t('details.phone')}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          required
          maxLength={MAX_TYPED_PHONE_LENGTH}
          value={phone}
          error={error('phone')}
          onChange={(event) => setPhone(event.target.value)}
        />
      )}
    </RequestDialog>
  )
}
