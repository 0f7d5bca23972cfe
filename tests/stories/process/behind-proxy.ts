import { expect } from "bun:test";
import { Person } from "../../support/people/person";

/** A browser that accepts the certificate of this machine's own proxy. */
export class SecurePerson extends Person {
  override send = (method: string, path: string, init: RequestInit = {}) =>
    Person.prototype.send.call(this, method, path, {
      ...init,
      tls: { rejectUnauthorized: false },
    } as RequestInit);
}

type Asked = { from: string; forwarded?: string; origin?: string; bytes?: number };
type Shell = (line: string) => Promise<{ out: string }>;

/** Tries to sign in as nobody, from a new address; resolves to the answer's status and headers. */
async function tried(shell: Shell, url: URL, { from, forwarded, origin = url.origin, bytes = 0 }: Asked) {
  const phrase = `head -c ${bytes} /dev/zero | tr '\\0' x`;
  const body = `printf '{"username":"nobody","password":"wrong'; ${phrase}; printf '"}'`;
  const { out } = await shell(
    [
      `(${body}) | curl -sk --http1.1 --interface ${from} -D - -o /dev/null --data-binary @-`,
      `-H 'Content-Type: application/json' -H 'Origin: ${origin}'`,
      ...(forwarded ? [`-H 'X-Forwarded-For: ${forwarded}'`] : []),
      new URL("/api/auth/login", url).href,
    ].join(" "),
  );
  return { status: Number(/^HTTP\/1\.1 (?!100)(\d+)/m.exec(out)?.[1]), headers: out.toLowerCase() };
}

/**
 * Behind a proxy with an https address, customers are told apart by the address that the proxy saw, whatever
 * they say of themselves, and pages are the shop's own by that address.
 */
export async function expectBehindProxy(shell: Shell, url: URL, nets: string): Promise<void> {
  const [guesser, other] = [`127.0.${nets}.1`, `127.0.${nets}.2`];
  const statuses: number[] = [];
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    const { status } = await tried(shell, url, { from: guesser, forwarded: `198.51.100.${attempt}` });
    statuses.push(status);
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  // a forged address is neither believed nor charged with the attempts
  expect((await tried(shell, url, { from: guesser, forwarded: other })).status).toBe(429);
  const answered = await tried(shell, url, { from: other });
  expect(answered.status).toBe(401);
  expect(answered.headers).toContain("strict-transport-security: max-age=");
  const foreign = [`http://${url.host}`, "https://shop.example.org"];
  for (const origin of foreign) {
    expect((await tried(shell, url, { from: other, origin })).status).toBe(403);
  }
  // the shop's own refusal; a larger body is refused by whichever of the two sees it first
  const large = await tried(shell, url, { from: other, bytes: 100_000 });
  expect(large).toMatchObject({ status: 413, headers: expect.stringContaining("x-request-id") });
  expect((await tried(shell, url, { from: other, bytes: 2_000_000 })).status).toBe(413);
}
