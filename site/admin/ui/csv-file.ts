import { decodeCsv } from '#lib/csv/decode-csv.ts'

/** The upload of a CSV file over a slow line, and its import. */
export const CSV_TIMEOUT_MS = 120_000

/** The text of a chosen file; null where the browser cannot read it, because another program has it open or it was moved. */
export async function readCsvFile(file: File): Promise<string | null> {
  try {
    return decodeCsv(new Uint8Array(await file.arrayBuffer()))
  } catch {
    return null
  }
}
