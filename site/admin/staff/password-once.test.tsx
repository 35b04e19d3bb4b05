// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { pendingToasts } from '#components/toast.tsx'
import { cleanUpAfterEach, renderInPage } from '../ui/testing.tsx'
import { PasswordOnce } from './password-once.tsx'

cleanUpAfterEach()

const denied = { writeText: () => Promise.reject(new DOMException('denied', 'NotAllowedError')) }

it.each([
  ['a browser that forbids it', denied, 'Not copied. Select the password and copy it.'],
  ['one that allows it', { writeText: async () => {} }, 'Copied.'],
  ['a page without https', undefined, 'Not copied. Select the password and copy it.'],
])('a password is copied in %s', async (_where, clipboard, text) => {
  vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(clipboard as unknown as Clipboard)
  renderInPage(<PasswordOnce name="Rahim" password="one-two" close={() => {}} />)
  fireEvent.click(screen.getByRole('button', { name: 'Copy' }))
  await expect.poll(() => pendingToasts().at(-1)?.text).toBe(text)
})
