import { isatty } from 'node:tty'

/**
 * Whether this process was started with a terminal: nohup leaves none, and then a hang-up does not end the shop. Plain JavaScript, because the
 * setup asks before TypeScript can run.
 */
export const HAS_TERMINAL = [0, 1, 2].some((fd) => isatty(fd))
