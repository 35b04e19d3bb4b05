import { SelectField } from '#components/field.tsx'
import type { RegisterFilter } from '#features/pos/register-filter.server.ts'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'

/** Chooses the register of a list; nothing while the shop has none. */
export function RegisterFilterField({ filter: { registers, chosen } }: { filter: RegisterFilter }) {
  const { t, lang } = useI18n()
  if (registers.length === 0) return null
  return (
    <SelectField name="register" label={t('pos.register')} defaultValue={chosen?.id ?? ''}>
      <option value="">{t('pos.registers.all')}</option>
      {registers.map(({ id, name }) => (
        <option key={id} value={id}>
          {localizeDigits(lang, name)}
        </option>
      ))}
    </SelectField>
  )
}

/** The query of a link that keeps day and register. */
export const dayQuery = (day: string, { chosen }: RegisterFilter): string => `day=${day}${chosen ? `&register=${chosen.id}` : ''}`
