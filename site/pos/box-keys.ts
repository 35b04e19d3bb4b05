import { type KeyBurst, meanGap, withKey } from './key-burst.ts'

/** Keys that a scanner presses between the letters of a code. */
const MODIFIERS = new Set(['Shift', 'CapsLock', 'AltGraph', 'NumLock'])
/** Keys that come faster on average are a scanner's, in milliseconds. */
const BURST_GAP = 35

/**
 * The keys that run into the scan box: into the box itself, or outside of all fields, from where they go to it. Keys at a scanner's speed
 * are collected and reach the box together: a browser that edits and renders after each of them is slower than the scanner.
 */
export class BoxKeys {
  /** The keys in a row, up to Enter. */
  burst: KeyBurst | null = null
  #hasEnded = false
  /** Keys that the box does not show yet. */
  #waiting = ''
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #getBox: () => HTMLInputElement | null

  constructor(getBox: () => HTMLInputElement | null) {
    this.#getBox = getBox
  }

  /** Notes a key that was pressed anywhere. `isDropped` decides about a key in the box: the scan lock may drop it. */
  press(event: KeyboardEvent, isDropped: (event: KeyboardEvent, box: HTMLInputElement) => boolean): void {
    const { key, timeStamp } = event
    if (MODIFIERS.has(key)) return
    const target = document.activeElement
    const box = target instanceof HTMLInputElement && target === this.#getBox() ? target : null
    const isElsewhere = box === null && (target instanceof HTMLInputElement || target instanceof HTMLSelectElement)
    const isText = isPlainText(event)
    this.#note(key, isText && !isElsewhere ? timeStamp : null)
    if (box === null) return
    if (isDropped(event, box)) end(event)
    else if (isText && this.burst !== null && meanGap(this.burst) < BURST_GAP) {
      end(event)
      this.#waiting += key
      clearTimeout(this.#timer)
      this.#timer = setTimeout(() => this.show(), BURST_GAP)
    } else if (key !== 'Enter') this.show()
  }

  /** `at`: when a key was pressed that belongs to the box; null for other keys. */
  #note(key: string, at: number | null): void {
    if (key === 'Enter') this.#hasEnded = true
    else if (at === null) this.burst = null
    else {
      this.burst = withKey(this.#hasEnded ? null : this.burst, key, at)
      this.#hasEnded = false
    }
  }

  /** The text of the box, with the keys that it does not show yet. */
  text(): string {
    const box = this.#getBox()
    if (!box) return ''
    const { value } = box
    const [from, to] = caretOf(box)
    return value.slice(0, from) + this.#fitting(box) + value.slice(to)
  }

  /** Whether the box shows all keys. */
  get isShown(): boolean {
    return this.#waiting === ''
  }

  /** Drops the keys that the box does not show yet. */
  drop(): void {
    clearTimeout(this.#timer)
    this.#waiting = ''
  }

  /** Types the waiting keys into the box. */
  show(): void {
    const box = this.#getBox()
    const text = box ? this.#fitting(box) : ''
    this.drop()
    if (!box || text === '') return
    box.setRangeText(text, ...caretOf(box), 'end')
    box.dispatchEvent(new InputEvent('input', { bubbles: true, data: text, inputType: 'insertText' }))
  }

  /** The waiting keys, as far as the box has room. */
  #fitting(box: HTMLInputElement): string {
    const [from, to] = caretOf(box)
    return box.maxLength < 0 ? this.#waiting : this.#waiting.slice(0, Math.max(0, box.maxLength - box.value.length + to - from))
  }
}

const isPlainText = ({ key, repeat, ctrlKey, altKey, metaKey, isComposing }: KeyboardEvent) =>
  key.length === 1 && !repeat && !ctrlKey && !altKey && !metaKey && !isComposing

const caretOf = ({ value, selectionStart, selectionEnd }: HTMLInputElement): [from: number, to: number] => [
  selectionStart ?? value.length,
  selectionEnd ?? value.length,
]

function end(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopPropagation()
}
