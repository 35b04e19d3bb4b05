import { useState } from 'react'
import { usePageContext } from '#page/page-context.tsx'
import { type Draft, draftIdOf, readDraft, storeDraft } from './draft.ts'

/**
 * The typed values of a dialog about a row. They survive its closing and a reload, as those of a form do, and belong to a version of the row:
 * `moveTo` stores them for another one, after a conflict. `reset` deletes them, after they were sent.
 */
export function useDialogDraft<Values extends object>(name: string, version: number, initial: Values) {
  const { user } = usePageContext()
  const id = draftIdOf(user?.id, name)
  const [typed, setTyped] = useState(() => {
    const draft = readDraft(id)
    return draft?.version === version ? (draft.values as Values) : null
  })
  const store = (values: Values, at: number) => storeDraft(id, { values: values as Draft['values'], version: at })
  return {
    typed: typed ?? initial,
    setTyped(values: Values) {
      setTyped(values)
      store(values, version)
    },
    reset() {
      setTyped(null)
      storeDraft(id, null)
    },
    moveTo(later: number) {
      if (typed) store(typed, later)
    },
  }
}
