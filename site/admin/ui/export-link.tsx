import { ButtonLink } from '#components/button.tsx'
import { useI18n, usePageContext } from '#page/page-context.tsx'
import { FIRST_PAGE, withQuery } from './url-query.ts'
import { DownloadIcon } from './icons.tsx'

/** The list of this page as a CSV file, with its filters and in its order. */
export function ExportLink({ list }: { list: string }) {
  const { t } = useI18n()
  const { path } = usePageContext()
  const query = path.split('?')[1]
  const href = withQuery(`${list}/export${query ? `?${query}` : ''}`, { ...FIRST_PAGE, rows: null })
  return (
    <ButtonLink kind="secondary" href={href} download>
      <DownloadIcon size={18} />
      {t('admin.csv')}
    </ButtonLink>
  )
}
