/** Rejects if the answer takes longer. What was asked goes on, and its later failure is nobody's. */
export async function within<T>(milliseconds: number, asked: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("there was no answer in time")), milliseconds);
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
