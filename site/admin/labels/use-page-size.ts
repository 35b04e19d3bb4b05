import { useEffect } from 'react'
import type { LabelSize } from '#features/catalog/labels/label-rules.ts'
import { addPageSize } from '../print/page-size.ts'

/** Sets the page size without margins, so that labels match the positions on the sheet. */
export function usePageSize({ page: [width, height] }: LabelSize): void {
  useEffect(() => {
    const size = addPageSize()
    size.set(width, height)
    return size.remove
  }, [width, height])
}
