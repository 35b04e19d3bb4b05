import { expect, it } from 'vitest'
import { openCatalog } from './testing/catalog.ts'

const { clerk } = await openCatalog()

const errorsOf = async (csv: string) => {
  const { body } = await clerk.post('/admin/products/import?lang=bn', { csv })
  const { lines } = body as unknown as { lines: { errors: { field: string; text: string }[] }[] }
  return lines.flatMap(({ errors }) => errors)
}

it('a unit that does not exist is answered with the words of the reader', async () => {
  const csv = 'ইংরেজি নাম,বাংলা নাম,বিভাগ,দাম,একক\nLitchi,লিচু,Fruits and more,300,থলে\n'
  expect(await errorsOf(csv)).toEqual([{ field: 'একক', text: 'এর একটি লিখুন: কেজি, পিস, ডজন, আঁটি' }])
})

it('a file without categories says that they are missing', async () => {
  expect(await errorsOf('Name in English,Name in Bengali,Price\nLitchi,লিচু,300\n')).toEqual([{ field: 'বিভাগ', text: 'এই ঘরটি পূরণ করুন।' }])
})
