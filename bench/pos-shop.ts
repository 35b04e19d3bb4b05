import { type Bench, openShop } from './database.ts'
import { addCashiers, beginShift, type BenchProduct, loadProducts } from './sales.ts'

/** A signed-in cashier with an open shift. */
export interface Cashier {
  cookie: string
  token: string
}

export const POS_PRODUCTS = 100_000

export interface PosShop {
  url: string
  cashiers: Cashier[]
  products: BenchProduct[]
  /** A barcode for each number, spread over the catalog. */
  barcode(n: number): string
}

/** Runs the measurement with a shop of 100,000 products and cashiers with open shifts. */
export async function withPosShop<Result>(bench: Bench, measure: (shop: PosShop) => Promise<Result>): Promise<Result> {
  const databaseUrl = await bench.copy(POS_PRODUCTS)
  const products = await loadProducts(databaseUrl)
  const phones = await addCashiers(databaseUrl)
  const shop = await openShop(databaseUrl)
  try {
    const cashiers = await Promise.all(phones.map((phone) => beginShift(shop.url, phone)))
    return await measure({ url: shop.url, cashiers, products, barcode: (n) => products[(n * 7919) % products.length]?.barcode ?? '' })
  } finally {
    await shop.stop()
  }
}
