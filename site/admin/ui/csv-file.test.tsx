// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { StatementUpload } from '../payments/statement-upload.tsx'
import { Page as ProductImport } from '../products/product-import.page.tsx'
import { cleanUpAfterEach, renderInPage, stubServer } from './testing.tsx'

cleanUpAfterEach()

const PAGES = {
  statement: { content: <StatementUpload accountId={1} onImported={() => {}} />, label: 'Choose CSV file' },
  products: { content: <ProductImport />, label: 'Choose a CSV file' },
}

/** Chooses a file of rows; one that another program has open cannot be read. */
async function choose(label: string, isLocked: boolean) {
  const file = new File(['Name in English\nMango'], 'file.csv')
  if (isLocked) vi.spyOn(file, 'arrayBuffer').mockRejectedValue(new DOMException('The file could not be read', 'NotReadableError'))
  await act(async () => fireEvent.change(screen.getByLabelText(label), { target: { files: [file] } }))
}

it.each(['statement', 'products'] as const)('says that a chosen file cannot be read, and takes the next one (%s)', async (page) => {
  const { content, label } = PAGES[page]
  const sent = stubServer({ status: 422, body: { message: 'No column heading was recognised.' } })
  vi.stubGlobal('isSecureContext', false)
  renderInPage(content)
  await choose(label, true)
  expect(screen.getByRole('alert').textContent).toContain('can’t be read')
  expect(sent).toEqual([])
  await choose(label, false)
  expect(screen.getByRole('alert').textContent).toContain('No column heading')
  expect(screen.getByLabelText(label)).toHaveProperty('disabled', false)
})
