import type { ComponentProps } from 'react'
import { TakaField } from '#components/taka-field.tsx'
import { localizeDigits } from '#lib/format/numbers.ts'
import { useI18n } from '#page/page-context.tsx'
import { useLocalDigits } from './use-local-digits.ts'

interface LocalTakaFieldProps extends Omit<ComponentProps<typeof TakaField>, 'value' | 'onChange'> {
  value: string
  onChange?: ((text: string) => void) | undefined
}

/** An amount in taka in the digits of the page's language; while it is typed, as typed. */
export function LocalTakaField({ value, onChange, ...rest }: LocalTakaFieldProps) {
  const { lang } = useI18n()
  const field = useLocalDigits(value)
  return (
    <TakaField
      placeholder={localizeDigits(lang, '0.00')}
      {...rest}
      value={field.shown}
      onBlur={field.leave}
      onChange={({ target }) => {
        field.type(target.value)
        onChange?.(target.value)
      }}
    />
  )
}
