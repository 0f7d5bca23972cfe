import { afterAll, expect, test } from "bun:test";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeSettingsFile } from "@/core/settings/settings-file";
import { runProcess } from "../../support/operator/run-process";

const root = join(import.meta.dir, "../../..");
const scratch = await mkdtemp(join(tmpdir(), "latchkey-container-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

test("the image runs the shop without words, and the shop's commands with them", async () => {
  const bun = join(scratch, "bun");
  await Bun.write(bun, '#!/bin/sh\nprintf "%s|" "$@"\nexit 7\n');
  await chmod(bun, 0o755);
  const env = { PATH: `${scratch}:/usr/bin:/bin` };
  const ran = async (...words: string[]) => {
    const { out, code } = await runProcess([join(root, "src/container.sh"), ...words], { env });
    expect(code).toBe(7);
    return out;
  };
  expect(await ran()).toBe("src/main.ts|");
  expect(await ran("--new")).toBe("src/main.ts|--new|");
  expect(await ran("setup")).toBe("src/operator/main.ts|setup|");
  expect(await ran("licences", "list", "--reason", "two words")).toBe(
    "src/operator/main.ts|licences|list|--reason|two words|",
  );
});

test("a container without settings says what to run, and ends once there are some", async () => {
  const dataDir = join(scratch, "data");
  const shop = Bun.spawn([process.execPath, "src/main.ts"], {
    cwd: root,
    env: {
      PATH: process.env["PATH"] ?? "",
      DATA_DIR: dataDir,
      NODE_ENV: "production",
      IN_CONTAINER: "yes",
      TRUSTED_PROXIES: "1",
    },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const said = shop.stderr.pipeThrough(new TextDecoderStream()).getReader();
  expect((await said.read()).value).toBe(
    `No shop is set up in ${dataDir}: run \`docker compose run --rm shop setup\`, or set PUBLIC_URL and the other settings.\n`,
  );
  expect(shop.exitCode).toBeNull();
  writeSettingsFile(dataDir, { CURRENCY: "eur" });
  expect(await shop.exited).toBe(1);
});
