import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isOnRoot } from "@/core/settings/on-root";
import { asNobody, type Built, buildImage, filesOf, insideOf } from "../../image/build";
import { environmentOf } from "../../image/dockerfile";
import { freePort } from "../../support/shop/free-port";

const scratch = await mkdtemp(join(tmpdir(), "latchkey-image-"));
let image: Built;
beforeAll(async () => {
  image = await buildImage(scratch);
});
afterAll(async () => {
  await Bun.spawn(["chmod", "-R", "u+w", scratch]).exited;
  await rm(scratch, { recursive: true, force: true });
});

test("the image's steps make a shop that an unprivileged user runs and that writes only its data", async () => {
  // no files that only development needs
  expect(existsSync(join(image.workdir, "node_modules/playwright-core"))).toBe(false);
  expect(existsSync(join(image.workdir, "tests"))).toBe(false);
  expect(existsSync(join(image.workdir, "dist"))).toBe(true);
  const environment = environmentOf(image.stage);
  const dataDir = join(image.root, environment["DATA_DIR"] ?? "");
  const port = await freePort();
  const env = {
    ...insideOf(image),
    DATA_DIR: dataDir,
    // this folder is no container
    IN_CONTAINER: "",
    HOST: "127.0.0.1",
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    STRIPE_SECRET_KEY: "sk_test_image",
    STRIPE_PUBLISHABLE_KEY: "pk_test_image",
    STRIPE_WEBHOOK_SECRET: "whsec_image",
    MAIL: "off",
    DISCORD: "off",
  };
  const nobody = await asNobody(image);
  const before = await filesOf(image, ["data", "tmp"]);
  const inside = (command: string[]) =>
    Bun.spawn([...nobody, ...command], {
      cwd: image.workdir,
      env,
      stdin: "ignore",
      stdout: "ignore",
      stderr: "pipe",
    });
  const only = (name: string) => image.stage.instructions.find((one) => one.name === name);
  const health = JSON.parse(/CMD (\[.*\])$/.exec(only("HEALTHCHECK")?.rest ?? "")?.[1] ?? "[]") as string[];
  expect(only("USER")?.words).toEqual(["bun"]);
  const began = performance.now();
  const shop = inside(only("ENTRYPOINT")?.words ?? []);
  try {
    while (shop.exitCode === null && (await inside(health).exited) !== 0) await Bun.sleep(50);
    if (shop.exitCode !== null) throw new Error(await new Response(shop.stderr).text());
    console.log(`the image's shop is healthy after ${Math.round(performance.now() - began)} ms`);
    const page = await fetch(`http://127.0.0.1:${env.PORT}/`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("<html");
    expect(await filesOf(image, ["data", "tmp"])).toEqual(before);
    const { uid } = await stat(join(dataDir, "shop.db"));
    if (process.getuid?.() === 0) expect(uid).not.toBe(0);
    // a user who may write nothing may not write its own files either
    const written = inside(["sh", "-c", "echo x > src/main.ts || echo x > new-file"]);
    expect(await written.exited).not.toBe(0);
    shop.kill("SIGTERM");
    expect(await shop.exited).toBe(0);
  } finally {
    shop.kill("SIGKILL");
  }
  expect(await inside(health).exited).not.toBe(0);
});

test.skipIf(!isOnRoot(tmpdir()))(
  "the image's shop and its command line refuse a data folder that is deleted with the container",
  async () => {
    const env = {
      ...insideOf(image),
      DATA_DIR: join(image.root, "var/lib/latchkey"),
      PUBLIC_URL: "https://shop.example.com",
      STRIPE_SECRET_KEY: "sk_test_image",
      STRIPE_PUBLISHABLE_KEY: "pk_test_image",
      STRIPE_WEBHOOK_SECRET: "whsec_image",
      MAIL: "off",
      DISCORD: "off",
    };
    for (const command of [
      ["src/main.ts"],
      ["src/operator/main.ts", "restore", "/backups", "--reason", "lost"],
    ]) {
      const child = Bun.spawn([process.execPath, ...command], {
        cwd: image.workdir,
        env,
        stdin: "ignore",
        stdout: "ignore",
        stderr: "pipe",
      });
      expect(await new Response(child.stderr).text()).toBe(
        "The setting DATA_DIR names a folder that is deleted with the container: leave it out, or mount a volume there.\n",
      );
      expect(await child.exited).toBe(1);
    }
    expect(existsSync(env.DATA_DIR)).toBe(false);
  },
);
