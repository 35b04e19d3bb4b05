/** Ref of a form or list in a dialog: focuses its first field or button when the dialog opens, instead of the close button. */
export function firstField(around: HTMLElement | null): void {
  around?.querySelector('input, button')?.setAttribute('autofocus', '')
}
