import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { codeSentTo } from '#test/codes.ts'
import { testDb } from '#test/db.ts'
import { openShop } from '#test/request.ts'
import { findChallenge } from './challenges.server.ts'
import { requestCode, resendCode } from './request-code.server.ts'
import { verifyCode } from './verify-code.server.ts'

const { db, url } = await testDb()
const { deps, clock } = await openShop({ databaseUrl: url, rateLimit: true })

it('two requests at once for another code send one, which is valid', async () => {
  const phone = '01712345678'
  const requester = { ip: '203.0.113.7', lang: 'en', knownCookie: null, codeText: '{code}' } as const
  const asked = await requestCode(deps, requester, { purpose: 'sign-in', phone, nextPath: '/' })
  if (!asked.ok) throw new Error(asked.reason)
  clock.now = new Date(clock.now.getTime() + 60_000)
  const { token } = asked
  const challenge = (await findChallenge(db, token, clock.now))!
  const resend = () => resendCode(deps, requester, token, challenge)
  const answers = await Promise.all([resend(), resend()])
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  expect(answers.find(({ ok }) => !ok)).toEqual({ ok: false, reason: 'too-soon', retryAfter: 45 })
  const { rows } = await sql<{ count: number }>`select count from attempt_counts where key = ${`code-to:${phone} 900`}`.execute(db)
  expect(rows).toEqual([{ count: 2 }])
  const proof = {
    ...requester,
    token,
    challenge,
    code: (await codeSentTo(db, phone))!,
    userAgent: '',
    user: null,
    extendOrder: async () => {},
  }
  expect(await verifyCode(deps, proof)).toMatchObject({ ok: true })
})
