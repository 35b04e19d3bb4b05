import { ShareIcon, WhatsAppIcon } from '#components/icons.tsx'
import { buttonClass } from '#components/button.tsx'
import { useI18n } from '#page/page-context.tsx'

/** Two ways to share the product: WhatsApp, and what the device offers (site/store/product/share-product.ts). */
export function ShareProduct({ name, url }: { name: string; url: string }) {
  const { t } = useI18n()
  const look = buttonClass({ kind: 'quiet', size: 'small' })
  return (
    <div role="group" aria-label={t('share.title')} className="-ms-3 mt-4 flex flex-wrap gap-2">
      <a href={`https://wa.me/?text=${encodeURIComponent(`${name}\n${url}`)}`} target="_blank" rel="noopener noreferrer" className={look}>
        <WhatsAppIcon />
        {t('share.whatsapp')}
      </a>
      <button
        type="button"
        className={`${look} needs-script`}
        data-share={url}
        data-title={name}
        data-copied={t('share.copied')}
        data-failed={t('share.failed', { url })}
      >
        <ShareIcon />
        {t('share.share')}
      </button>
    </div>
  )
}
