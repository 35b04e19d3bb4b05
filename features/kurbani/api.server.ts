import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { z } from 'zod'
import { countFormAttempt } from '#features/auth/form-attempts.server.ts'
import { DAY_SECONDS } from '#lib/format/time.ts'
import { isEmail } from '#lib/format/email.ts'
import { type Db, inTransaction } from '#lib/db/db.server.ts'
import { type MessageKey, translate } from '#lib/i18n/translate.ts'
import { normalizePhone } from '#lib/format/phone.ts'
import { sanitizeText, isStorable, isTooLong } from '#lib/format/text.ts'
import { readPlaces } from './districts-rules.ts'
import { DISTRICTS, DISTRICTS_JSON } from './districts.server.ts'
import { BOOKING_RANGES, isAutomatic } from './rules.ts'

const text = z
  .string()
  .max(2000)
  .nullish()
  .transform((value) => value ?? '')
const bookingBody = z.object({
  name: text,
  email: text,
  phone: text,
  district: text,
  thana: text,
  price: text,
  weight: text,
  /** A hidden field: only bots fill it in. */
  website: text,
  /** Milliseconds that the form was open. */
  open_ms: z.number().min(0).nullish(),
})
type BookingBody = z.infer<typeof bookingBody>
/** The stored fields. */
type Booking = Pick<BookingBody, 'name' | 'email' | 'phone' | 'district' | 'thana' | 'price' | 'weight'>

const MAX_PER_PHONE_AND_HOUR = 5
/** The time within which a pre-booking with the same values is a repeated request. */
const REPEAT_MS = 10 * 60_000

/** Public routes of districts and of pre-bookings of Kurbani cows. */
export function kurbaniApi(deps: { db: Db; now: () => Date; env: { rateLimit: boolean } }): FastifyPluginAsyncZod {
  return async (app) => {
    const config = { rateLimit: { max: 10, timeWindow: '1 minute' } }
    app.get(
      '/api/districts',
      { config: { cache: 'public' }, schema: { tags: ['kurbani'], summary: 'Districts with their thanas, in Bengali and English' } },
      async (_request, reply) =>
        reply.type('application/json; charset=utf-8').header('cache-control', `public, max-age=${DAY_SECONDS}`).send(DISTRICTS_JSON),
    )

    app.post(
      '/api/kurbani-bookings',
      { config, schema: { tags: ['kurbani'], summary: 'Pre-book a Kurbani cow', body: bookingBody } },
      async (request, reply) => {
        const { website, open_ms, ...sent } = request.body
        if (isAutomatic({ trap: website, openMs: open_ms ?? null })) return reply.fail(422, 'booking.automatic')
        const booking = normalizeBooking(sent)
        const errors = bookingErrors(sent, booking.problems, translate(request.viewer.lang))
        if (Object.keys(errors).length > 0) return reply.fail(422, 'error.invalid', { errors })
        const wait = await countFormAttempt(deps, 'booking', { phone: booking.phone, ip: request.ip }, MAX_PER_PHONE_AND_HOUR)
        if (wait > 0) return reply.fail(429, 'error.too-many', { retryAfterSeconds: wait })
        const { price: price_range, problems: _problems, ...fields } = booking
        const id = await storeBooking(deps.db, { ...fields, price_range }, deps.now())
        return reply.code(201).send({ message: translate(request.viewer.lang)('booking.saved'), id })
      },
    )
  }
}

/** Stores a pre-booking and returns its id. The same one again is a form that was sent twice, such as after a lost answer. */
function storeBooking(db: Db, fields: Omit<Booking, 'price'> & { price_range: string }, now: Date): Promise<number> {
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`booking ${fields.phone}`}, 0))`.execute(tx)
    let repeated = tx.selectFrom('kurbani_bookings').select('id').where('state', '=', 'new')
    repeated = repeated.where('created_at', '>', new Date(now.getTime() - REPEAT_MS))
    for (const field of Object.keys(fields) as (keyof typeof fields)[]) repeated = repeated.where(field, '=', fields[field])
    const known = await repeated.executeTakeFirst()
    if (known) return known.id
    const row = { ...fields, created_at: now }
    return (await tx.insertInto('kurbani_bookings').values(row).returning('id').executeTakeFirstOrThrow()).id
  })
}

function normalizeBooking({
  name,
  email,
  phone,
  district,
  thana,
  price,
  weight,
}: Booking): Booking & Pick<ReturnType<typeof readPlaces>, 'problems'> {
  return {
    name: sanitizeText(name),
    email: sanitizeText(email),
    phone: normalizePhone(phone) ?? '',
    ...readPlaces(DISTRICTS, { district: sanitizeText(district), thana: sanitizeText(thana) }),
    price,
    weight: sanitizeText(weight),
  }
}

function bookingErrors(
  body: Booking,
  places: ReturnType<typeof readPlaces>['problems'],
  t: (
    key: MessageKey &
      (
        | 'booking.name-required'
        | 'booking.phone-required'
        | 'booking.phone-invalid'
        | 'booking.price-required'
        | 'booking.price-unknown'
        | 'booking.email-invalid'
        | 'booking.too-long'
        | 'details.not-text'
        | 'booking.district-unknown'
        | 'booking.thana-unknown'
      ),
  ) => string,
): Record<string, string[]> {
  const errors: Record<string, string[]> = {}
  for (const [field, problem] of Object.entries(places)) errors[field] = [t(`booking.${problem}`)]
  for (const field of ['name', 'email', 'phone', 'district', 'thana', 'weight'] as const) {
    if (!isStorable(body[field])) errors[field] = [t('details.not-text')]
    else if (isTooLong(sanitizeText(body[field]))) errors[field] = [t('booking.too-long')]
  }
  if (!sanitizeText(body.name)) errors.name = [t('booking.name-required')]
  if (!sanitizeText(body.phone)) errors.phone = [t('booking.phone-required')]
  else if (normalizePhone(body.phone) === null) errors.phone = [t('booking.phone-invalid')]
  if (!body.price) errors.price = [t('booking.price-required')]
  else if (!BOOKING_RANGES.includes(body.price)) errors.price = [t('booking.price-unknown')]
  if (sanitizeText(body.email) && !isEmail(sanitizeText(body.email))) errors.email = [t('booking.email-invalid')]
  return errors
}
