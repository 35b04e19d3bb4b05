// @vitest-environment happy-dom
import { act } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { PopupJson } from '#features/catalog/types.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../../admin/ui/testing.tsx'
import { Popup } from './popup.tsx'

cleanUpAfterEach()
afterEach(() => void vi.useRealTimers())

const POPUP: PopupJson = { id: 3, shown: 'false', image: '/uploads/cow.webp', picture: null, alt: 'Book a cow', link: '' }

it('the campaign does not cover a search that is being typed, nor another dialog', async () => {
  vi.useFakeTimers()
  const sent = stubServer({ status: 200, body: { message: '' } })
  const search = document.body.appendChild(document.createElement('input'))
  const other = document.body.appendChild(document.createElement('dialog'))
  search.focus()
  renderInPage(<Popup popup={POPUP} />)
  const later = () => act(() => vi.advanceTimersByTimeAsync(5000))
  const isOpen = () => document.querySelector('dialog img')?.closest('dialog')?.open === true
  await later()
  expect(isOpen()).toBe(false)
  other.showModal()
  search.blur()
  await later()
  expect(isOpen()).toBe(false)
  // It counts as shown only now.
  expect(sent).toEqual([])
  other.close()
  await later()
  expect(isOpen()).toBe(true)
  await later()
  expect(sent).toEqual([{ url: '/mark-popup-shown', method: 'POST', body: { shown: true } }])
  search.remove()
  other.remove()
})
