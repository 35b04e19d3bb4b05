import { useEffect, useState } from 'react'
import { usePageContext } from '#page/page-context.tsx'
import { draftIdOf, readDraft, type RowVersion, storeDraft } from './draft.ts'

type Preserved<Value> = [value: Value, set: (value: Value) => void, reset: () => void, moveTo: (version: RowVersion) => void]

/**
 * State of a dialog that survives its closing and a reload: typed values are restored when the dialog of that name opens again, where they belong
 * to a version of a row at that version. An open dialog takes them along to a new name or version; `moveTo` does for one that closes after a
 * conflict. `reset` resets it, after the values were sent.
 */
export function usePreservedState<Value>(name: string, initial: Value, version: RowVersion | null = null): Preserved<Value> {
  const { user } = usePageContext()
  const id = draftIdOf(user?.id, `dialog-${name}`)
  const [typed, setTyped] = useState(() => {
    const draft = readDraft(id)
    return draft?.version === version ? (draft.values as { value: Value }) : null
  })
  useEffect(() => {
    if (typed) storeDraft(id, { values: typed, version })
  }, [id, typed, version])
  return [
    typed ? typed.value : initial,
    (value) => setTyped({ value }),
    () => {
      setTyped(null)
      storeDraft(id, null)
    },
    (later) => {
      if (typed) storeDraft(id, { values: typed, version: later })
    },
  ]
}
