import { useI18n, useShell } from '#site/app-root.tsx'

/** In a demo shop: where the code that was just sent can be read. Nothing elsewhere. */
export function DemoSmsLink() {
  const { t } = useI18n()
  const { demo } = useShell()
  if (!demo) return null
  return (
    <p className="stitch mt-4 rounded-card bg-tag-100 px-3.5 py-2 text-sm">
      <a href="/demo/sms" target="_blank" rel="noopener" className="font-semibold underline underline-offset-4">
        {t('sms.demo.link')}
      </a>
    </p>
  )
}
