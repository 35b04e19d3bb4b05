import { expect, it } from 'vitest'
import { writtenMessage } from './message-rules.ts'

it.each([
  ['nothing', '', 'empty'],
  ['spaces and marks', ' \u200b\u202e\n ', 'empty'],
  ['a NUL', 'a\u0000b', 'unreadable'],
  ['half an emoji', 'a\ud83d', 'unreadable'],
  ['one Bengali letter too many', 'ক'.repeat(403), 'too-long'],
  ['one letter too many', 'a'.repeat(919), 'too-long'],
  ['a book', 'a'.repeat(200_000), 'too-long'],
])('%s is rejected', (_name, raw, reason) => {
  expect(writtenMessage(raw)).toEqual({ ok: false, reason })
})

it.each([
  ['as long as it may be', 'ক'.repeat(402), 'ক'.repeat(402)],
  ['line breaks of a form', 'One\r\ntwo\rthree', 'One\ntwo\nthree'],
  ['joiners of Bengali', ' র\u200d্যাব ', 'র\u200d্যাব'],
  ['braces and markup', '{order} <b>&', '{order} <b>&'],
])('%s is unchanged', (_name, raw, text) => {
  expect(writtenMessage(raw)).toEqual({ ok: true, text })
})
