import { Dialog } from '#components/dialog.tsx'
import { Picture } from '#components/picture.tsx'
import type { UploadedImage } from '#features/catalog/media/images.server.ts'
import { useI18n } from '#page/page-context.tsx'

interface PopupPreviewProps {
  open: boolean
  onClose(): void
  picture: UploadedImage | null
  alt: string
  link: string
}

/** The campaign as shoppers see it; its link leads nowhere here. */
export function PopupPreview({ open, onClose, picture, alt, link }: PopupPreviewProps) {
  const { t } = useI18n()
  return (
    <Dialog open={open} onClose={onClose} title={t('home.popup')} closeLabel={t('admin.close')} narrow>
      {picture ? (
        <span className="block aspect-4/3 overflow-hidden rounded-card">
          <Picture picture={picture.picture} alt={alt} sizes="260px" />
        </span>
      ) : null}
      {link ? <span className="mt-3 block font-semibold text-leaf-800 underline underline-offset-4">{alt}</span> : null}
    </Dialog>
  )
}
