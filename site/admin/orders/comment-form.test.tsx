// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { AdminOrder } from '#features/orders/history/order-details.server.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { CommentForm } from './comment-form.tsx'

cleanUpAfterEach()

const isGuarded = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

it('a comment that is typed while the one before is saved stays, and the page asks before it is left', async () => {
  vi.stubGlobal('isSecureContext', false)
  const sent = stubServer({ status: 200, body: { order: { events: [] } } })
  const onComment = vi.fn<(events: AdminOrder['events']) => void>()
  renderInPage(<CommentForm order={{ id: 7, events: [] } as unknown as AdminOrder} onComment={onComment} />)
  const field = screen.getByRole<HTMLTextAreaElement>('textbox')
  const type = (value: string) => fireEvent.change(field, { target: { value } })
  expect(isGuarded()).toBe(false)
  type('Called')
  fireEvent.submit(field.closest('form')!)
  type('No answer')
  await waitFor(() => expect(onComment).toHaveBeenCalledWith([]))
  expect(sent).toMatchObject([{ url: '/admin/orders/7/comments', body: { text: 'Called' } }])
  expect(field.value).toBe('No answer')
  expect(isGuarded()).toBe(true)
})
