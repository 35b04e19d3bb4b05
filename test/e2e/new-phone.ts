let count = 0

/** A mobile number that no other test has used, nor an earlier try of the same one: files of one worker share the count. */
export function newPhone(): string {
  count += 1
  return `0171999${String(1000 + count)}`
}
