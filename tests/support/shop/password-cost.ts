const bun = { ...Bun.password };
const cheaply: typeof Bun.password.hash = (password, options) =>
  bun.hash(password, Object.assign({}, options, { memoryCost: 8, timeCost: 1 }));

/** A hash takes a core 50 ms on purpose, and few tests are about that. Checking a hash uses the cost it names. */
export function hashCheaply(): void {
  Bun.password.hash = cheaply;
}

/** `using _ = hashAtFullCost()`: hashes as production does until the test ends. */
export function hashAtFullCost(): Disposable {
  Object.assign(Bun.password, bun);
  return { [Symbol.dispose]: hashCheaply };
}

/** Holds up every check of this password until released, however fast the machine. */
export function holdChecks(of: string): { release: () => void } & Disposable {
  const held = Promise.withResolvers<void>();
  Bun.password.verify = async (password, ...more) => {
    if (password === of) await held.promise;
    return bun.verify(password, ...more);
  };
  const release = () => {
    Object.assign(Bun.password, { ...bun, hash: cheaply });
    held.resolve();
  };
  return { release, [Symbol.dispose]: release };
}
