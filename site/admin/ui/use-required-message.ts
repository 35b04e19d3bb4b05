import { useEffect } from 'react'
import { useI18n } from '#page/page-context.tsx'

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Names an empty required field in the language of the page: browsers do it in their own. */
export function useRequiredMessage(): void {
  const { t } = useI18n()
  const message = t('field.required')
  useEffect(() => {
    const named = new Set<Field>()
    const name = ({ target }: Event) => {
      const field = target as Field
      if (!field.validity.valueMissing) return
      field.setCustomValidity(message)
      named.add(field)
    }
    // A field with a message is invalid whatever it contains, so the next press removes it before the form is checked again.
    const clear = () => {
      for (const field of named) field.setCustomValidity('')
      named.clear()
    }
    const presses = ['keydown', 'input', 'pointerdown', 'click'] as const
    document.addEventListener('invalid', name, true)
    for (const press of presses) document.addEventListener(press, clear, true)
    return () => {
      clear()
      document.removeEventListener('invalid', name, true)
      for (const press of presses) document.removeEventListener(press, clear, true)
    }
  }, [message])
}
