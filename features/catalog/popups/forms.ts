import { z } from 'zod'
import { momentField, nullWhenEmpty, requiredText, shortIdField, versionField, textField } from '#lib/form-fields.ts'
import { isPopupLink } from './link-rules.ts'

const fields = {
  image_id: shortIdField('popups.no-picture'),
  link: textField(500).refine(isPopupLink, { error: 'popups.link-wrong' }),
  alt_en: requiredText(200),
  alt_bn: requiredText(200),
  starts_at: momentField(),
  ends_at: nullWhenEmpty(momentField()),
  active: z.boolean({ error: 'field.choose' }),
}

const endsAfterItStarts = ({ starts_at, ends_at }: { starts_at: Date; ends_at: Date | null }) => ends_at === null || ends_at > starts_at
const ENDS = { path: ['ends_at'], error: 'popups.ends-before' }

export const newPopupBody = z.strictObject(fields).refine(endsAfterItStarts, ENDS)
export const popupBody = z.strictObject({ ...fields, version: versionField }).refine(endsAfterItStarts, ENDS)

export type PopupForm = z.output<typeof newPopupBody>
