import { type ComponentProps, lazy, Suspense, useState } from 'react'
import type { Dialog } from './dialog.tsx'

type DialogProps = ComponentProps<typeof Dialog>

const Loaded = lazy(() =>
  import('./dialog.tsx').then(
    (module) => ({ default: module.Dialog }),
    () => ({ default: PlainMessage }),
  ),
)

/** A dialog that few visits open. Its code is loaded when it first opens. */
export function LaterDialog(props: DialogProps) {
  const [wasOpen, setWasOpen] = useState(props.open)
  if (props.open && !wasOpen) setWasOpen(true)
  return wasOpen ? (
    <Suspense>
      <Loaded {...props} />
    </Suspense>
  ) : null
}

/** Replaces the dialog when its code cannot be loaded. */
function PlainMessage({ open, title, children, actions }: DialogProps) {
  return open ? (
    <div role="alert" className="fixed inset-x-4 bottom-4 z-50 rounded-card border border-line bg-milk p-4">
      <p className="font-semibold">{title}</p>
      {children}
      <div className="mt-3 flex gap-3">{actions}</div>
    </div>
  ) : (
    <></>
  )
}
