// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import type { StaffRow } from '#features/auth/staff/queries.server.ts'
import { cleanUpAfterEach, renderInPage, stubServer } from '../ui/testing.tsx'
import { Page } from './staff.page.tsx'

cleanUpAfterEach()

const CLERK = { id: 5, name: 'Salma', phone: '01712345678', role: 'sales', disabled_at: null, last_seen_at: null } as StaffRow

it('a role that another owner has changed meanwhile is shown as saved', async () => {
  vi.stubGlobal('isSecureContext', false)
  const sent = stubServer({ status: 409, body: { message: 'Someone else has saved this.', person: { ...CLERK, role: 'cashier' } } })
  renderInPage(<Page staff={[CLERK]} me={1} />, '/admin/staff')
  screen.getByLabelText('Role of Salma').focus()
  fireEvent.change(screen.getByLabelText('Role of Salma'), { target: { value: 'manager' } })
  const agree = await screen.findByRole('button', { name: 'Manager' })
  await act(async () => fireEvent.click(agree))
  expect(sent[0]).toMatchObject({ url: '/admin/staff/5/role', body: { role: 'manager', previous: 'sales' } })
  await waitFor(() => expect(screen.getByLabelText<HTMLSelectElement>('Role of Salma').value).toBe('cashier'))
  expect(document.activeElement).toBe(screen.getByLabelText('Role of Salma'))
})
