import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import { showToast } from '#components/toast.tsx'
import { SCAN_GAP, TOAST_TIME } from '#features/pos/rules.ts'
import { useI18n } from '#page/page-context.tsx'
import { beep } from './beep.ts'
import { continuesBurst, isFastScan, isScan, type KeyBurst } from './key-burst.ts'

type Field = HTMLInputElement | HTMLSelectElement

interface Burst extends KeyBurst {
  target: Element
  /** The value of a field before the first key. */
  before: string
}

interface ScannerOptions {
  box: RefObject<HTMLInputElement | null>
  /** Keys that may be a scan begin: remember the fields, to restore them if it is one. */
  onBegin: () => void
  /** A scan was typed into a field other than the box. */
  onScan: (text: string, at: number) => void
}

/**
 * Detects scans wherever the focus is. Keys outside of all fields go to the box; a scan into another field is reported and undone. In a
 * dialog only keys at a scanner's speed are a scan: names and phone numbers are typed there, and end with Enter too. Such a scan is undone,
 * adds nothing, and is announced.
 */
export function useScanner(options: ScannerOptions): void {
  const { t } = useI18n()
  const onBlocked = () => {
    beep('rejected')
    showToast(t('pos.scan-blocked'), { kind: 'error', milliseconds: TOAST_TIME })
  }
  const latest = useRef({ ...options, onBlocked })
  useLayoutEffect(() => void (latest.current = { ...options, onBlocked }))
  useEffect(() => {
    let burst: Burst | null = null
    const note = (target: Element, key: string, now: number, isContinued: boolean, onBegin: () => void) => {
      if (burst?.target === target && isContinued) burst = { ...burst, text: burst.text + key, last: now }
      else {
        burst = { text: key, target, before: isField(target) ? target.value : '', began: now, last: now }
        onBegin()
      }
    }
    const press = (event: KeyboardEvent) => {
      const { box, onBegin, onScan, onBlocked } = latest.current
      const target = document.activeElement
      if (target === box.current || target === null) return void (burst = null)
      // A supervisor's code may be a badge that is scanned.
      if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || isPassword(target)) return
      const { timeStamp: now, key } = event
      const isInDialog = document.querySelector('dialog[open]') !== null
      if (key === 'Enter') {
        const scanned = burst?.target === target ? burst : null
        burst = null
        if (!scanned || !(isInDialog ? isFastScan : isScan)(scanned, now)) return
        event.preventDefault()
        event.stopPropagation()
        if (isInDialog || target instanceof HTMLSelectElement) restore(target, scanned.before)
        if (isInDialog) onBlocked()
        else onScan(scanned.text, now)
      } else if (key.length !== 1) return
      else if (isInDialog) note(target, key, now, burst !== null && now - burst.last <= SCAN_GAP, () => {})
      else if (isField(target)) note(target, key, now, continuesBurst(burst, now), onBegin)
      else if (key !== ' ') box.current?.focus()
    }
    document.addEventListener('keydown', press, { capture: true })
    return () => document.removeEventListener('keydown', press, { capture: true })
  }, [])
}

const isField = (element: Element): element is Field =>
  element instanceof HTMLSelectElement || (element instanceof HTMLInputElement && element.type !== 'checkbox' && element.type !== 'radio')

const isPassword = (element: Element) => element instanceof HTMLInputElement && element.type === 'password'

/** Sets the value as typing it would, so that React takes it over. */
function restore(element: Element, value: string): void {
  if (!isField(element) || element.value === value) return
  const isSelect = element instanceof HTMLSelectElement
  const { prototype } = isSelect ? HTMLSelectElement : HTMLInputElement
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(element, value)
  element.dispatchEvent(new Event(isSelect ? 'change' : 'input', { bubbles: true }))
}
