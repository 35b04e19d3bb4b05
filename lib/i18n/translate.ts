// Messages by key. The module of a language registers its messages, so that a page loads one language only.
import type { Lang } from './lang.ts'

/** Filled by messages/en.ts: every key with the type of its text. */
export interface MessageCatalog {}

export type MessageKey = keyof MessageCatalog

/** The type a translation must have: every key of the original, and texts with the same arguments. */
export type TranslationOf<Original> = {
  [Key in keyof Original]: Original[Key] extends (params: infer Params) => string ? (params: Params) => string : string
}

type Arguments<Key extends MessageKey> = MessageCatalog[Key] extends (params: infer Params) => string ? [params: Params] : []

/** The text of a key in one language. */
export type Translate = <Key extends MessageKey>(key: Key, ...args: Arguments<Key>) => string

type Entry = string | ((params: never) => string)

const registered: Partial<Record<Lang, Record<string, Entry>>> = {}

/** Registers messages of a language; later calls add to earlier ones. */
export function registerMessages(lang: Lang, messages: Record<string, Entry>): void {
  registered[lang] = { ...registered[lang], ...messages }
}

/** The messages of a registered language. An unknown key is returned as the text. */
export function translate(lang: Lang): Translate {
  return (key, ...args) => {
    const entry = registered[lang]?.[key]
    if (typeof entry === 'function') return (entry as (params: unknown) => string)(args[0])
    return entry ?? key
  }
}

/** A text by a key that is known only at run time. The compiler checks that the key exists, not that its parameters fit. */
export type Text = (key: MessageKey, params?: Readonly<Record<string, string | number | boolean>>) => string

/** The texts of a language by keys that are known only at run time. */
export function textByKey(lang: Lang): Text {
  return translate(lang) as Text
}

/** The same texts by keys that are made of data, such as a stored method. An unknown key is returned as the text. */
export function textByData(t: Translate): (key: string, params?: Readonly<Record<string, unknown>>) => string {
  return t as (key: string, params?: Readonly<Record<string, unknown>>) => string
}
