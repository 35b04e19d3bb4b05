// Runs before each test file of a worker. Its files share modules and, where they have one, the document: a test must not depend on the file
// that ran before.
if (typeof document !== 'undefined') {
  const { closeToast, pendingToasts } = await import('#components/toast.tsx')
  for (const { id } of pendingToasts()) closeToast(id)
  document.body.replaceChildren()
  localStorage.clear()
  sessionStorage.clear()
}
