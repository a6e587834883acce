/** Runs a function until the signal aborts. */
export async function within(signal, run) {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, (async () => run())()]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
