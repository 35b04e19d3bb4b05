import { type ComponentType, useEffect, useState } from 'react'
import { useI18n } from '#page/page-context.tsx'
import { showToast } from './toast.tsx'

/**
 * A dialog whose code is loaded when it first opens. Where the code does not come, it says so and closes, and the next press tries again: a failed
 * `lazy` part would take the page with it.
 */
export function laterPart<Props extends { onClose: () => void }>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  return (props) => {
    const { t } = useI18n()
    const [Part, setPart] = useState(() => loaded)
    useEffect(() => {
      if (!Part)
        load().then(
          (part) => setPart(() => (loaded = part)),
          () => {
            showToast(t('shell.not-loaded'), { kind: 'error' })
            props.onClose()
          },
        )
      // oxlint-disable-next-line react/exhaustive-deps -- once for each opening
    }, [])
    return Part && <Part {...props} />
  }
}
