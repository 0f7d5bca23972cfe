/**
 * The answer, or what `late` gives or throws if there is none in time. The call itself goes on; its later failure is
 * ignored.
 */
export function withTimeout<T>(
  milliseconds: number,
  asked: Promise<T>,
  late: () => T = noAnswer,
): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const timer = setTimeout(() => resolve(Promise.try(late)), milliseconds);
  return Promise.race([asked, promise]).finally(() => clearTimeout(timer));
}

function noAnswer(): never {
  throw new Error("there was no answer in time");
}
