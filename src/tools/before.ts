// Copyright the desktop-assistant authors. SPDX-License-Identifier: GPL-2.0-or-later
// A wait that ends when its caller stops waiting.

/** The value, unless the signal comes before it; then its reason is thrown. */
export async function before<T>(value: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([value, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
