import type { ReactNode } from 'react'
import { useI18n } from '#page/page-context.tsx'
import { ScrollArea } from '../ui/scroll-area.tsx'

/** One report under its heading. */
export function Section({ title, hint, wide = false, children }: { title: string; hint?: string; wide?: boolean; children: ReactNode }) {
  return (
    <section className={`admin-card min-w-0 p-4 ${wide ? 'xl:col-span-2' : ''}`}>
      <h2 className="mb-2 text-lg">{title}</h2>
      {children}
      {hint ? <p className="mt-2 text-sm text-stone">{hint}</p> : null}
    </section>
  )
}

interface ReportTableProps {
  /** Name of the table for screen readers. */
  label: string
  head: string[]
  rows: ReactNode[][]
  /** The index of a column that is hidden on phones. */
  wideOnly?: number
}

/** A small table: text in the first column, numbers in the others. */
export function ReportTable({ label, head, rows, wideOnly }: ReportTableProps) {
  const { t } = useI18n()
  if (rows.length === 0) return <p className="text-stone">{t('reports.nothing')}</p>
  return (
    <ScrollArea label={label} className="max-h-96">
      <table className="w-full text-sm">
        <thead className="sticky top-0 bg-milk text-stone">
          <tr>
            {head.map((text, column) => (
              <th
                key={text}
                scope="col"
                className={`py-1 font-normal ${column === 0 ? 'text-start' : 'ps-4 text-end'} ${column === wideOnly ? 'max-sm:hidden' : ''}`}
              >
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row} className="border-t border-line align-top">
              {cells.map((cell, column) => (
                <td
                  key={column}
                  className={`py-1.5 ${column === 0 ? '' : 'tabular-nums ps-4 text-end whitespace-nowrap'} ${column === wideOnly ? 'max-sm:hidden' : ''}`}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}
