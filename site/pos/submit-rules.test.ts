import { describe, expect, it, test } from 'vitest'
import type { Outcome } from './device/outbox-rules.ts'
import { type Submission, submitResult } from './submit-rules.ts'

const stored: Submission = { isStored: true, offlineRejection: null, isOnline: true }
const sold: Outcome = { kind: 'sold', orderId: 7, redirect: '/invoice/7' }
const noResponse: Outcome = { kind: 'later', answered: false }
const serverError: Outcome = { kind: 'later', answered: true }
const rejected: Outcome = { kind: 'rejected', summary: { reason: 'changed', message: 'It is 250' }, rejection: { message: 'It is 250' } }

describe('an answer of the server decides, stored or not, approved or not', () => {
  const submissions = [true, false].flatMap((isStored) =>
    [null, 'Needs a supervisor'].map((offlineRejection) => ({ isStored, offlineRejection, isOnline: true })),
  )
  test.each(submissions)('%j', (submission) => {
    expect(submitResult(sold, submission)).toEqual({ kind: 'sold', orderId: 7 })
    expect(submitResult({ kind: 'locked' }, submission)).toEqual({ kind: 'locked' })
    expect(submitResult(rejected, submission)).toEqual({ kind: 'rejected', rejection: { message: 'It is 250' } })
  })
})

describe('without an answer', () => {
  it('queues a stored sale with the reason', () => {
    expect(submitResult(noResponse, { ...stored, isOnline: false })).toEqual({ kind: 'queued', reason: 'network' })
    expect(submitResult(noResponse, stored)).toEqual({ kind: 'queued', reason: 'silence' })
    expect(submitResult(serverError, stored)).toEqual({ kind: 'queued', reason: 'trouble' })
    expect(submitResult({ kind: 'sign-in' }, { ...stored, isOnline: false })).toEqual({ kind: 'queued', reason: 'sign-in' })
  })

  it('queues no sale that a supervisor must approve', () => {
    for (const outcome of [noResponse, serverError, { kind: 'sign-in' } as const])
      expect(submitResult(outcome, { ...stored, offlineRejection: 'Needs a supervisor' })).toEqual({
        kind: 'not-approved',
        text: 'Needs a supervisor',
      })
  })

  it('says whether there was a response when the browser cannot store the sale', () => {
    const notStored = { ...stored, isStored: false }
    expect(submitResult(noResponse, notStored)).toEqual({ kind: 'not-stored', hasResponse: false })
    expect(submitResult(serverError, { ...notStored, offlineRejection: 'Needs a supervisor' })).toEqual({
      kind: 'not-stored',
      hasResponse: true,
    })
    expect(submitResult({ kind: 'sign-in' }, notStored)).toEqual({ kind: 'not-stored', hasResponse: true })
  })
})
