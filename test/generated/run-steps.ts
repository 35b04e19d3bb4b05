import { expect } from 'vitest'
import type { Db } from '#lib/db/db.server.ts'
import { Dice, inStep } from './dice.ts'
import { stateDigest } from './state-digest.ts'

interface StepAnswer {
  status: number
  text: string
}

interface GeneratedRun<Name extends string> {
  db: Db
  clock: { now: Date }
  count: number
  /** Each name as often as it is drawn. */
  names: readonly Name[]
  take: (name: Name, dice: Dice) => Promise<StepAnswer[]>
  /** Statuses besides 200 that a step may be answered with. */
  refusals: readonly number[]
  /** Steps that change something without an answer of 200. */
  silent?: readonly Name[]
  /** What holds after each step. */
  check: (at: number) => Promise<void>
}

/** Takes steps of a seed, five seconds apart, some of them two at once. One that is rejected must have changed nothing. */
export async function runSteps<Name extends string>(run: GeneratedRun<Name>): Promise<void> {
  const log: string[] = []
  const done: Partial<Record<Name, number>> = {}
  for (let at = 0; at < run.count; at++) await inStep(at, log, () => runStep(run, at, { log, done }))
  if (process.env.GENERATED_LOG) console.log(log.join('\n'), done)
}

interface Told<Name extends string> {
  log: string[]
  done: Partial<Record<Name, number>>
}

async function runStep<Name extends string>(run: GeneratedRun<Name>, at: number, { log, done }: Told<Name>): Promise<void> {
  const { db, clock, names, silent = [] } = run
  const dice = new Dice(at)
  clock.now = new Date(clock.now.getTime() + 5000)
  const taken = dice.chance(45) ? [dice.pick(names), dice.pick(names)] : [dice.pick(names)]
  const was = await stateDigest(db)
  const answers = (await Promise.all(taken.map((name, index) => run.take(name, new Dice(at + 50_000 * (index + 1)))))).flat()
  log.push(
    `${at} ${taken.join(' + ')}: ${answers.map(({ status, text }) => `${status} ${status === 200 ? '' : text.slice(0, 200)}`).join(' | ')}`,
  )
  for (const { status, text } of answers) expect([200, ...run.refusals].includes(status), `${status} ${text}`).toBe(true)
  const isDone = answers.some(({ status }) => status === 200)
  if (isDone) for (const name of taken) done[name] = (done[name] ?? 0) + 1
  else if (answers.length > 0 && !taken.some((name) => silent.includes(name))) expect(await stateDigest(db)).toEqual(was)
  await run.check(at)
}
