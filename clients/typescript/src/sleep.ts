/** Wait for so many seconds; throws if `signal` is aborted meanwhile. */
export function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      failed(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      done();
    }, seconds * 1000);
    signal?.addEventListener("abort", stop, { once: true });
  });
}
