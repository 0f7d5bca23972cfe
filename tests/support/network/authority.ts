import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Certificate = { key: string; cert: string };

/**
 * A certificate authority of a test's own, made by openssl. `certificate`: for names as openssl writes them
 * (`DNS:a.example`); `file`: the authority's own certificate, as NODE_EXTRA_CA_CERTS wants it.
 */
export async function ownAuthority() {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-authority-"));
  const path = (name: string) => join(folder, name);
  const read = (name: string) => Bun.file(path(name)).text();
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const own = ["-keyout", path("ca.key"), "-out", path("ca.pem"), "-subj", "/CN=A test's authority"];
  await Bun.$`openssl req -x509 ${newKey} ${own}`.quiet();
  const signedBy = ["-CA", path("ca.pem"), "-CAkey", path("ca.key")];
  return {
    file: path("ca.pem"),
    certificate: async (...names: string[]): Promise<Certificate> => {
      const ends = ["-addext", `subjectAltName=${names.join(",")}`, "-addext", "basicConstraints=CA:FALSE"];
      const files = ["-keyout", path("key"), "-out", path("cert"), "-subj", "/CN=receiver"];
      await Bun.$`openssl req -x509 ${newKey} ${files} ${ends} ${signedBy}`.quiet();
      return { key: await read("key"), cert: await read("cert") };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
