import type { ReactNode } from 'react'

/** A figure with its name, in a list of definitions. */
export function Figure({ name, note, children }: { name: string; note?: ReactNode; children: ReactNode }) {
  return (
    <div className="admin-card p-4">
      <dt className="text-sm text-stone">{name}</dt>
      <dd className="tabular-nums mt-1 text-xl font-semibold">{children}</dd>
      {note ? <dd className="text-sm text-stone">{note}</dd> : null}
    </div>
  )
}
