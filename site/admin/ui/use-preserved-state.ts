import { useEffect, useState } from 'react'
import { usePageContext } from '#page/page-context.tsx'
import { draftIdOf, readDraft, storeDraft } from './draft.ts'

/**
 * State of a dialog that survives its closing and a reload: typed values are restored when the dialog of that name opens again. An open dialog
 * takes them along to a new name, as after a conflict, where the name has the version. `reset` resets it, after the values were sent.
 */
export function usePreservedState<Value>(name: string, initial: Value): [value: Value, set: (value: Value) => void, reset: () => void] {
  const { user } = usePageContext()
  const id = draftIdOf(user?.id, `dialog-${name}`)
  const [typed, setTyped] = useState(() => (readDraft(id)?.values ?? null) as { value: Value } | null)
  useEffect(() => {
    if (typed) storeDraft(id, { values: typed, version: null })
  }, [id, typed])
  return [
    typed ? typed.value : initial,
    (value) => setTyped({ value }),
    () => {
      setTyped(null)
      storeDraft(id, null)
    },
  ]
}
