// The health check of a container: exit code 0 when the shop of this machine answers and reaches its database.
const ready = await fetch(`http://127.0.0.1:${process.env.PORT || 3000}/readyz`, { signal: AbortSignal.timeout(2_500) }).catch(() => null)
process.exitCode = ready?.ok ? 0 : 1
