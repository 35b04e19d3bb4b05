import { timeline } from '#features/orders/printing/timeline-rules.ts'
import type { OrderJson } from '#features/orders/types.ts'
import { formatDateTime } from '#lib/format/time.ts'
import { useI18n } from '#page/page-context.tsx'

/** What has happened to an order, oldest first. Nothing on the page changes it. */
export function Timeline({ order }: { order: OrderJson }) {
  const { t, lang } = useI18n()
  return (
    <section aria-labelledby="timeline-title" className="px-1">
      <h2 id="timeline-title" className="text-lg">
        {t('invoice.timeline')}
      </h2>
      <ol className="mt-2 space-y-3 border-s-2 border-leaf-600/40 ps-4">
        {timeline(order).map(({ at, text }, index) => (
          <li
            key={index}
            className="relative before:absolute before:-start-[1.36rem] before:top-1.5 before:size-2.5 before:rounded-pill before:bg-leaf-600"
          >
            <span className="block font-semibold">{t(text)}</span>
            <span className="block text-sm text-stone">{formatDateTime(new Date(at), lang)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
