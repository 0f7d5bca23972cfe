/** Rejects if the answer takes longer. The call itself goes on; its later failure is ignored. */
export async function withTimeout<T>(milliseconds: number, asked: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("there was no answer in time")), milliseconds);
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
